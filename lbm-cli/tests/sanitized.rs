//! Kernels on the host under the address sanitizer: none touches memory that is not its own. On a device that would be a fault, or, which is worse,
//! somebody else's values.

use std::process::Command;

use lbm::cuda::testing::cxx_or_skip;

/// One of each addressing and kind of pattern.
const VARIANTS: [&str; 12] = [
    "d2q9-bgk-f32-soa-fluid-index-array-esoteric-twist",
    "d2q9-bgk-f32-soa-connectivity-matrix-aa",
    "d2q9-bgk-f32-aosoa128-tiled4x4x1-two-lattice-pull",
    "d3q19-bgk-f32-aosoa64-tiled4-esoteric-pull",
    "d2q9-bgk-f32-soa-dense-two-lattice-push",
    "d2q9-bgk-f32-aosoa128-dense-esoteric-pull",
    "d2q9-bgk-f32-soa-dense-swap",
    "d2q9-bgk-f64-soa-dense-ccas",
    "d2q9-bgk-f64-soa-dense-ghost",
    "d2q9-regularized-f32-soa-dense-moments-two-steps",
    "d2q9-regularized-f32-soa-dense-moments-ring",
    "d2q9-regularized-f32-soa-dense-thread-safe",
];

#[test]
fn no_kernel_touches_what_is_not_its_own() {
    const TEST: &str = "no_kernel_touches_what_is_not_its_own";
    if cxx_or_skip(TEST).is_none() {
        return;
    }
    let found = Command::new("g++").arg("-print-file-name=libasan.so").output();
    let library = found.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    // Without a path it is not there.
    let Some(library) = library.ok().filter(|library| library.contains('/')) else {
        eprintln!("skipped: {TEST} because g++ has no address sanitizer");
        return;
    };
    for variant in VARIANTS {
        let output = Command::new(env!("CARGO_BIN_EXE_lbm"))
            .args(["crosscheck", variant, "--device", "cuda-on-host"])
            .args(["--seeds", "1", "--steps", "1", "--steps", "2"])
            .env("CXX", "g++ -fsanitize=address")
            .env("LD_PRELOAD", &library)
            .env("ASAN_OPTIONS", "detect_leaks=0")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{variant}: {said}");
        assert!(!said.contains("AddressSanitizer"), "{variant}: {said}");
    }
}
