//! Compiles real kernels, without a GPU.

use std::fs;

use lbm_core::Error;
use lbm_core::error::DeviceError;
use lbm_cuda::cache::Cache;
use lbm_cuda::nvrtc::Architecture;
use lbm_cuda::testing::nvrtc_or_skip;

const SAXPY: &str = r#"
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x & 63] = i;
    __syncthreads();
    if (i < n) y[i] = fmaf(a, x[i], y[i]) + tile[63 - (threadIdx.x & 63)];
}
"#;

const SPILL: &str = r#"
extern "C" __global__ void __launch_bounds__(1024) spill(const double* x, double* y) {
    double a[COUNT];
    for (int i = 0; i < COUNT; i++) a[i] = x[i * 1024 + threadIdx.x];
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < COUNT; k++)
        for (int i = 0; i < COUNT; i += 8) sum = fma(a[i], a[(k * 7 + i) % COUNT], sum);
    for (int i = 0; i < COUNT; i++) y[i * 1024 + threadIdx.x] = a[i] * sum;
}
"#;

/// The text with so many values a thread.
fn spill(count: usize) -> String {
    format!("#define COUNT {count}\n{SPILL}")
}

fn device_error(error: Error) -> DeviceError {
    match error {
        Error::Device(error) => error,
        other => panic!("not an error of a device: {other}"),
    }
}

#[test]
fn a_small_kernel_becomes_a_cubin_and_tells_its_resources() {
    let Some(nvrtc) = nvrtc_or_skip("a_small_kernel_becomes_a_cubin_and_tells_its_resources") else { return };
    for architecture in [Architecture::SM_80, Architecture::SM_90] {
        let compiled = nvrtc.compile(SAXPY, architecture).unwrap();
        assert!(compiled.cubin.starts_with(b"\x7fELF"), "{architecture}");
        assert!(!compiled.cached);
        assert_eq!(compiled.kernels.len(), 1, "{}", compiled.log);
        let kernel = compiled.kernel("saxpy").unwrap();
        assert!((4..=64).contains(&kernel.registers), "{kernel:?}");
        assert_eq!(kernel.shared_bytes, 256, "{kernel:?}");
        assert!(kernel.spill_stores + kernel.spill_loads + kernel.local_bytes == 0, "{kernel:?}");
    }
}

#[test]
fn a_kernel_with_too_many_values_reports_its_spills() {
    let Some(nvrtc) = nvrtc_or_skip("a_kernel_with_too_many_values_reports_its_spills") else { return };
    let compiled = nvrtc.compile(&spill(80), Architecture::SM_80).unwrap();
    let kernel = compiled.kernel("spill").unwrap();
    assert!(kernel.spill_loads > 0 && kernel.spill_stores > 0 && kernel.local_bytes > 0, "{kernel:?}");
    assert!(kernel.registers <= 64, "{kernel:?}");
}

#[test]
fn products_and_sums_are_not_contracted() {
    let Some(nvrtc) = nvrtc_or_skip("products_and_sums_are_not_contracted") else { return };
    let text = |body: &str| {
        format!("extern \"C\" __global__ void k(float a, float b, float c, float* y) {{ *y = {body}; }}")
    };
    let code = |body: &str| nvrtc.compile(&text(body), Architecture::SM_90).unwrap().cubin;
    let (plain, rounded, fused) =
        (code("a * b + c"), code("__fadd_rn(__fmul_rn(a, b), c)"), code("fmaf(a, b, c)"));
    assert_eq!(plain, rounded, "a * b + c must be rounded twice");
    assert_ne!(plain, fused);
}

#[test]
fn an_error_quotes_the_line_with_its_number() {
    let Some(nvrtc) = nvrtc_or_skip("an_error_quotes_the_line_with_its_number") else { return };
    let source =
        "extern \"C\" __global__ void k(float* y) {\n    y[0] = 1.0f;\n    y[1] = omega + 1.0f;\n}\n";
    let error = nvrtc.compile(source, Architecture::SM_90).unwrap_err();
    let message = error.to_string();
    let DeviceError::Compile { architecture, excerpt, log } = device_error(error) else {
        panic!("another error: {message}")
    };
    assert_eq!(architecture, "sm_90");
    let expected = "line 3: error: identifier \"omega\" is undefined\n\
                    3 |     y[1] = omega + 1.0f;\n  |            ^";
    assert_eq!(excerpt, expected);
    assert!(log.contains("1 error detected"), "{log}");
    assert!(message.contains("does not compile for sm_90") && message.contains(expected), "{message}");
}

#[test]
fn wrong_texts_and_architectures_are_errors() {
    let Some(nvrtc) = nvrtc_or_skip("wrong_texts_and_architectures_are_errors") else { return };
    let fermi = Architecture { major: 2, minor: 0 };
    let error = device_error(nvrtc.compile(SAXPY, fermi).unwrap_err());
    assert!(matches!(error, DeviceError::UnsupportedArchitecture { .. }), "{error}");
    assert!(error.to_string().contains("sm_20") && error.to_string().contains("sm_90"), "{error}");
    assert!(nvrtc.architecture_for(fermi).is_err());
    let newer = Architecture { major: 9, minor: 7 };
    assert_eq!(nvrtc.architecture_for(newer).unwrap(), Architecture::SM_90);

    let error = nvrtc.compile("a\0b", Architecture::SM_90).unwrap_err();
    assert!(error.to_string().contains("NUL"), "{error}");
}

#[test]
fn threads_compile_at_the_same_time() {
    let Some(nvrtc) = nvrtc_or_skip("threads_compile_at_the_same_time") else { return };
    std::thread::scope(|scope| {
        for n in 1..=4 {
            scope.spawn(move || {
                let compiled = nvrtc.compile(&spill(8 * n), Architecture::SM_90).unwrap();
                assert!(compiled.kernel("spill").is_some());
            });
        }
    });
}

#[test]
fn the_cache_hits_misses_and_mends_damage() {
    let Some(nvrtc) = nvrtc_or_skip("the_cache_hits_misses_and_mends_damage") else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::in_folder(folder.path());
    let compile = |architecture| cache.compile(nvrtc, SAXPY, architecture).unwrap();
    let entries = || {
        let mut paths: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().path()).collect();
        paths.sort();
        paths
    };

    let first = compile(Architecture::SM_90);
    assert!(!first.cached);
    let entry = entries().remove(0);
    let hit = compile(Architecture::SM_90);
    let mut expected = first.clone();
    expected.cached = true;
    assert_eq!(hit, expected, "a hit has machine code, log and resources");
    assert!(!compile(Architecture::SM_80).cached);
    assert_eq!(entries().len(), 2);

    let whole = fs::read(&entry).unwrap();
    for damaged in [&whole[..whole.len() / 2], &[], &whole.iter().map(|b| b ^ 1).collect::<Vec<u8>>()] {
        fs::write(&entry, damaged).unwrap();
        assert!(!compile(Architecture::SM_90).cached, "a damaged entry is compiled anew");
        assert!(compile(Architecture::SM_90).cached, "and replaced");
    }

    let wrong = cache.compile(nvrtc, "wrong", Architecture::SM_90);
    assert!(wrong.is_err());
    assert_eq!(entries().len(), 2, "failures are not kept");
}
