//! Builds that fail and say why, several texts at once, launches that do not fit.

use super::*;
use lbm_cuda::host::{HostText, build_all};

#[test]
fn a_text_that_does_not_build_names_its_own_line() {
    if !has_compiler() {
        return;
    }
    let text =
        "\n// second line\nextern \"C\" __global__ void run(float* out) {\n  out[0] = missing_name;\n}\n";
    let error = HostModule::build(text, &["run"]).unwrap_err();
    let HostError::Compile { kernel, line, source_line, message, .. } = &error else { panic!("{error}") };
    assert_eq!((kernel.as_str(), *line), ("kernel", Some(4)));
    assert_eq!(source_line.as_deref(), Some("  out[0] = missing_name;"));
    assert!(message.contains("missing_name"), "{message}");
}

#[test]
fn words_whose_bits_differ_on_a_device_do_not_build() {
    if !has_compiler() {
        return;
    }
    let text = "extern \"C\" __global__ void run(float* out) { out[0] = __expf(out[1]); }";
    assert!(matches!(HostModule::build(text, &["run"]), Err(HostError::Compile { line: Some(1), .. })));
}

#[test]
fn an_entry_that_is_not_there_is_an_error() {
    if !has_compiler() {
        return;
    }
    let text = "extern \"C\" __global__ void run(float* out) { out[0] = 1; }";
    assert!(matches!(HostModule::build(text, &["walk"]), Err(HostError::UnknownEntry { .. })));
    assert!(matches!(HostModule::build(text, &[]), Err(HostError::UnknownEntry { .. })));
    let error = HostModule::build(text, &["run"]).unwrap().kernel("walk").unwrap_err();
    assert_eq!(error.to_string(), "kernel `kernel` has no entry `walk`; it has run");
}

/// The same names in each text, another value.
fn text_of(value: usize) -> String {
    format!(
        "#define SCALE {value}
#undef SCALE
struct Value {{ int v; }};
__device__ __forceinline__ int value() {{ return Value{{{value}}}.v; }}
extern \"C\" __global__ void first(int* out) {{ out[0] = value(); }}
extern \"C\" __global__ void run(int* out) {{ out[0] = -value(); }}"
    )
}

fn result_of(module: &HostModule, entry: &str) -> i32 {
    let mut out = 0_i32;
    let target = &raw mut out;
    // SAFETY: one thread writes one element.
    unsafe { module.kernel(entry).unwrap().launch([1; 3], [1; 3], 0, &[arg(&target)], SCRAMBLED, 1) }
        .unwrap();
    out
}

#[test]
fn texts_with_the_same_names_are_built_together() {
    if !has_compiler() {
        return;
    }
    let texts: Vec<String> = (0..7).map(text_of).collect();
    let texts: Vec<HostText<'_>> =
        texts.iter().map(|text| HostText { name: "same", text, entries: &["first", "run"] }).collect();
    let together = HostModule::build_many(&texts).unwrap();
    let some: Vec<HostModule> = build_all(&texts, 3).into_iter().map(Result::unwrap).collect();
    for modules in [together, some] {
        assert_eq!(modules.len(), 7);
        for (value, module) in modules.iter().enumerate() {
            assert_eq!(
                (result_of(module, "first"), result_of(module, "run")),
                (value as i32, -(value as i32))
            );
        }
    }
}

#[test]
fn one_bad_text_of_many_fails_alone() {
    if !has_compiler() {
        return;
    }
    let good = text_of(5);
    let bad = good.replace("out[0] = -value()", "\nout[0] = \"no\"");
    let texts = [("good", &good), ("bad", &bad), ("also good", &good)].map(|(name, text)| HostText {
        name,
        text,
        entries: &["run"],
    });
    let built = build_all(&texts, 3);
    assert_eq!(built.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
    let Err(HostError::Compile { kernel, line, .. }) = &built[1] else { panic!() };
    assert_eq!((kernel.as_str(), *line), ("bad", Some(7)));
}

#[test]
fn a_launch_that_no_device_allows_is_refused() {
    if !has_compiler() {
        return;
    }
    let kernel = HostModule::build(&text_of(1), &["run"]).unwrap().kernel("run").unwrap();
    let mut out = 0_i32;
    let target = &raw mut out;
    let launch = |grid, block, shared, args: &[*const c_void]| {
        // SAFETY: the arguments fit the signature or are refused.
        unsafe { kernel.launch(grid, block, shared, args, SCRAMBLED, 1) }.unwrap_err().to_string()
    };
    let args = [arg(&target)];
    assert!(launch([0, 1, 1], [1; 3], 0, &args).contains("the grid is [0, 1, 1]"));
    assert!(launch([1; 3], [32, 33, 1], 0, &args).contains("the block is [32, 33, 1]"));
    assert!(launch([1; 3], [1; 3], 300_000, &args).contains("up to 232448 bytes"));
    assert!(launch([1; 3], [1; 3], 0, &[]).contains("the number of arguments is 0, allowed is 1"));
    assert_eq!(out, 0);
}

#[test]
fn a_machine_without_a_compiler_says_how_to_get_one() {
    let error = HostCompiler::first_of(&["no-such-compiler"]).unwrap_err().to_string();
    assert!(error.contains("tried no-such-compiler") && error.contains("apt install g++"), "{error}");
}
