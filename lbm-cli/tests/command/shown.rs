//! What the command shows: streaming patterns, and kernels with what they cost.

use serde_json::Value;

use crate::{fails, lbm, objects, stdout};

#[test]
fn a_streaming_pattern_is_drawn() {
    let drawn = stdout(&lbm(&["schemes", "aa"]));
    assert!(drawn.starts_with("## `aa`") && drawn.contains("step 1: writes") && !drawn.contains("`swap`"));
    fails(&["schemes", "esoteric-pul"], &["did you mean `esoteric-pull`?"]);
}

#[test]
fn a_kernel_is_shown_with_its_counts() {
    let variant = "d2q9-bgk-f64-soa-dense-two-lattice-pull";
    let shown = &objects(&["show", variant, "--backend", "rust", "--json"])[0];
    assert_eq!(shown["variant"], variant);
    assert_eq!(shown["bytes_per_node"], 144);
    for (key, most) in [("adds", 53), ("muls", 37), ("divs", 1)] {
        assert!(shown[key].as_u64().unwrap() <= most, "{key}: {}", shown[key]);
    }
    let text = stdout(&lbm(&["show", variant]));
    assert!(text.contains("fn collide") && text.contains("Operations a node: adds 41, muls 31, divs 1"));
    fails(
        &["show", "d2q9-bgk-f64-soa-dense-two-lattice-pul"],
        &["unknown streaming `two-lattice-pul`, did you mean `two-lattice-pull`?"],
    );
}

#[test]
fn a_kernel_is_shown_for_a_gpu() {
    let variant = "d3q19-bgk-f32-soa-dense-two-lattice-pull";
    let show = ["show", variant, "--backend", "cuda"];
    let shown = &objects(&[&show[..], &["--json"]].concat())[0];
    assert_eq!((&shown["variant"], &shown["bytes_per_node"]), (&Value::from(variant), &Value::from(152)));
    for key in ["adds", "muls", "fmas", "divs", "block", "grid", "nodes_per_thread", "source"] {
        assert!(!shown[key].is_null(), "{key}");
    }
    assert_eq!(shown["size"], serde_json::json!([512, 512, 512]));
    let text = stdout(&lbm(&[&show[..], &["--size", "96,64,32", "--shape", "2x16x4x1", "--walls"]].concat()));
    for part in [
        "Operations a node: adds 95, muls 61, divs 1",
        "Box: 96 x 64 x 32 nodes, with walls, baked in. Launch: 2 nodes a thread, block 16 x 4 x 1, grid 3 x 16 x 32.",
        ") step_0(",
        "word = linked[index >> 5], before = ranks[index >> 5];",
        "const unsigned z = blockIdx.z;",
        "h[18]: c = ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let free = stdout(&lbm(&[&show[..], &["--free-size"]].concat()));
    assert!(free.contains("const size_t nx,") && free.contains("handed to the kernel"), "{free}");
    fails(&[&show[..], &["--shape", "3x32x1x1"]].concat(), &["launch shape", "e.g. 2x"]);
    fails(&[&show[..], &["--shape", "wide"]].concat(), &["write nodes a thread and the block"]);
    fails(&[&show[..], &["--size", "64"]].concat(), &["two or three integers"]);
    fails(&["show", variant, "--walls"], &["add --backend cuda"]);
}
