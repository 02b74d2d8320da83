//! What is said where the driver, a device or NVRTC is missing.

use std::env;
use std::process::Command;

use lbm_core::Error;
use lbm_core::error::DeviceError;
use lbm_cuda::device::Device;
use lbm_cuda::nvrtc::Nvrtc;
use lbm_cuda::probe;

#[test]
fn without_a_driver_the_error_is_typed_and_with_one_a_wrong_index_is() {
    let index = 4096;
    match Device::count() {
        Ok(0) => {
            assert!(matches!(Device::open(index), Err(Error::Device(DeviceError::NoDevice))));
        }
        Ok(found) => {
            let error = Device::open(index).unwrap_err();
            assert!(
                matches!(error, Error::Device(DeviceError::WrongIndex { index: 4096, count }) if count == found),
                "{error}"
            );
        }
        Err(Error::Device(DeviceError::NoDriver { .. })) => {
            let message = Device::open(0).unwrap_err().to_string();
            assert!(
                message.contains("libcuda.so.1") && message.contains("install NVIDIA's driver"),
                "{message}"
            );
            let found = probe();
            assert!(found.starts_with("driver   there is no CUDA driver"), "{found}");
            assert!(!found.contains("\ndevice "), "{found}");
        }
        Err(error) => assert!(matches!(error, Error::Device(_)), "{error}"),
    }
}

/// Set for the second run of this program, in which the one test below looks at a wrong `LBM_NVRTC`.
const SECOND_RUN: &str = "LBM_TEST_WRONG_NVRTC";

#[test]
fn a_wrong_folder_of_nvrtc_is_named() {
    let wrong = "/no/such/folder";
    if env::var_os(SECOND_RUN).is_some() {
        let error = Nvrtc::load().unwrap_err();
        assert!(matches!(error, Error::Device(DeviceError::NoNvrtc { .. })), "{error}");
        let message = error.to_string();
        for part in [wrong, "LBM_NVRTC", "pip install nvidia-cuda-nvrtc"] {
            assert!(message.contains(part), "{part} in {message}");
        }
        assert_eq!(Nvrtc::load().unwrap_err().to_string(), message, "the second answer is the first");
        return;
    }
    // NVRTC is looked for once a process, so this needs another one.
    let status = Command::new(env::current_exe().unwrap())
        .args(["--exact", "a_wrong_folder_of_nvrtc_is_named"])
        .env("LBM_NVRTC", wrong)
        .env(SECOND_RUN, "1")
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
}
