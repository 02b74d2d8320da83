//! What a run leaves and goes on from, what its case file may say, and how a device shares it out.

use std::path::Path;

use crate::{fails, lbm, objects, stdout};

#[test]
fn a_case_writes_its_results_and_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a").join("b");
    let out = out.to_str().unwrap();
    let set = ["--set", "size=16", "--set", "steps=40", "--set", "output=20", "--set", "checkpoint=20"];
    let set = [&set[..], &["--set", "slices=10", "--set", "vtk_compression=zlib"]].concat();
    let text = stdout(&lbm(&[&["run", "cavity2d", "--out", out], &set[..]].concat()));
    assert!(
        text.contains("Ghia") && text.contains("largest difference") && text.contains("speed.png"),
        "{text}"
    );
    for file in
        ["speed.png", "profiles.png", "u_centre.csv", "fields.pvd", "fields_000000040.vti", "summary.json"]
            .into_iter()
            .chain([
                "speed_000000000.png",
                "speed_000000010.png",
                "speed_000000040.png",
                "fields_000000020.vti",
            ])
    {
        assert!(Path::new(out).join(file).is_file(), "{file}");
    }
    let checkpoint = Path::new(out).join("checkpoint.lbm");
    let checkpoint = checkpoint.to_str().unwrap();
    let on =
        ["run", "cavity2d", "--out", out, "--restart", checkpoint, "--set", "size=16", "--set", "steps=60"];
    assert!(stdout(&lbm(&on)).contains("at step 60"));
    fails(&["run", "cavity2d", "--out", out, "--restart", checkpoint], &["16 x 16", "192 x 192"]);
}

#[test]
fn a_case_file_sets_what_set_can_and_set_wins() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.toml");
    std::fs::write(&file, "case = \"couette2d\"\nsize = 8\nsteps = 7\n").unwrap();
    let (file, out) = (file.to_str().unwrap(), folder.path().join("out"));
    let out = out.to_str().unwrap();
    assert!(stdout(&lbm(&["run", file, "--out", out])).contains("at step 7"));
    let with_set = ["run", "--case-file", file, "--out", out, "--set", "steps=9"];
    assert!(stdout(&lbm(&with_set)).contains("at step 9"));
    fails(&["run", "cavity2d", "--case-file", file], &["is for the case couette2d"]);
    std::fs::write(file, "case = \"couette2d\"\nsize = \n").unwrap();
    fails(&["run", file, "--out", out], &["line 2, column"]);
    fails(&["run", "no-such-file.toml"], &["no-such-file.toml"]);
}

#[test]
fn a_launch_shape_is_for_devices() {
    let variant = "d2q9-bgk-f32-soa-dense-two-lattice-pull";
    for command in [["run", "couette2d"], ["validate", "mass"], ["bench", variant]] {
        fails(
            &[&command[..], &["--shape", "1x8x4x1"]].concat(),
            &["--shape 1x8x4x1", "add --device cuda[:N]"],
        );
        fails(&[&command[..], &["--shape", "wide"]].concat(), &["write nodes a thread and the block"]);
        // 31 or 15 nodes along x are no pairs.
        let pairs = ["--device", "cuda-on-host", "--shape", "2x32x1x1"];
        let size: &[&str] = match command[0] {
            "run" => &["--set", "size=15"],
            "bench" => &["--size", "15,8"],
            _ => &[],
        };
        fails(&[&command[..], &pairs, size].concat(), &["launch shape = 2x32x1x1"]);
    }
    if lbm::cuda::testing::cxx_or_skip("a_launch_shape_is_for_devices").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let on_host = ["--device", "cuda-on-host", "--shape", "1x8x4x1"];
    let run = ["run", "couette2d", "--out", out, "--set", "size=12", "--set", "steps=4"];
    assert!(stdout(&lbm(&[&run[..], &on_host].concat())).contains("launch shape 1x8x4x1"));
    let check = ["crosscheck", variant, "--steps", "1,3", "--seeds", "5,6", "--json"];
    let rows = objects(&[&check[..], &on_host].concat());
    // Two boxes with two seeds each, and one with its size left free.
    assert_eq!((&rows[0]["trials"], &rows[0]["passed"]), (&5.into(), &true.into()), "{rows:?}");
    let too_many = ["--device", "cuda-on-host", "--shape", "1x64x32x1"];
    let output = lbm(&[&check[..], &too_many].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("launch shape = 1x64x32x1"), "{output:?}");
}
