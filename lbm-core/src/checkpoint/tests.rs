//! Checkpoints that come back, and files that are refused.

use std::fs;
use std::path::PathBuf;

use super::*;
use crate::{F16In64, Precision};

mod before;
mod shared;

fn state(precision: &str) -> Checkpoint {
    let values = (0..5 * 4 * 9).map(|i| (f64::from(i) * 0.7).sin() * 1e-3);
    let values = values.map(|v| if precision == "f32" { f64::from(v as f32) } else { v });
    Checkpoint {
        variant: format!("d2q9-bgk-{precision}-soa-dense-two-lattice-pull"),
        lattice: "D2Q9".to_owned(),
        size: [5, 4, 1],
        precision: precision.to_owned(),
        directions: 9,
        holds: Holds::Populations,
        step: 12_345_678_901,
        parameters: vec![("viscosity".to_owned(), 0.1), ("magic".to_owned(), 3.0 / 16.0)],
        fields: Vec::new(),
        memory: Vec::new(),
        values: values.collect(),
    }
}

fn written(checkpoint: &Checkpoint) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.lbm");
    checkpoint.write(&path).unwrap();
    (folder, path)
}

/// Why bytes in memory are refused; thousands of damaged files need not go to the disk.
fn refused_in_memory(bytes: &[u8]) -> String {
    match parse(bytes, bytes.len() as u64, &mut |_, _| ()) {
        Err(Refusal::Format(what, _)) => what,
        Err(Refusal::System(error)) => panic!("not refused as a format error: {error}"),
        Ok(_) => panic!("not refused"),
    }
}

fn refusal(bytes: &[u8], path: &Path) -> String {
    fs::write(path, bytes).unwrap();
    match Checkpoint::read(path) {
        Err(error @ Error::Format { .. }) => error.to_string(),
        other => panic!("not refused as a format error: {other:?}"),
    }
}

#[test]
fn a_state_comes_back_bit_for_bit() {
    let half = |value: f64| F16In64::decode(F16In64::encode(value));
    let single = |value: f64| f64::from(value as f32);
    type Round<'a> = &'a dyn Fn(f64) -> f64;
    // A precision of one's own, too: the file says itself how its values lie, here eight digits in eleven.
    let precisions: [(&str, Round<'_>, &str); 7] = [
        ("f16in32", &half, "f16 times 2^15"),
        ("f16in64", &half, "f16 times 2^15"),
        ("f32", &single, "f32"),
        ("f32in64", &single, "f32"),
        (
            "bf16in32",
            &|value| f64::from(f32::from_bits((value as f32).to_bits() & 0xffff_0000)),
            "f16 times 2^15",
        ),
        ("f64", &|value| value, "f64"),
        ("mine", &|value| value, "f64"),
    ];
    for (precision, round, values) in precisions {
        let mut state = state(precision);
        state.values.iter_mut().for_each(|value| *value = round(*value));
        state.values[3] = -0.0;
        state.values[4] = round(2f64.powi(-39));
        state.values[5] = f64::INFINITY;
        state.parameters.push(("odd".to_owned(), f64::from_bits(0x3ff0_0000_0000_0001)));
        let (_folder, path) = written(&state);
        let back = Checkpoint::read(&path).unwrap();
        assert_eq!(back, state);
        assert!(back.values[3].is_sign_negative());
        let bytes = fs::read(&path).unwrap();
        assert!(String::from_utf8_lossy(&bytes).contains(&format!("\nvalues = {values}\n")), "{precision}");
    }
}

#[test]
fn a_payload_of_many_chunks_comes_back() {
    let mut state = state("f32");
    (state.size, state.directions) = ([50, 41, 13], 19);
    state.values = (0..50 * 41 * 13 * 19).map(f64::from).collect();
    let (_folder, path) = written(&state);
    assert_eq!(Checkpoint::read(&path).unwrap(), state);
}

#[test]
fn the_header_can_be_read_by_a_person() {
    let (_folder, path) = written(&state("f64"));
    let bytes = fs::read(path).unwrap();
    let text = String::from_utf8_lossy(&bytes[16..16 + bytes[12] as usize + 256 * bytes[13] as usize]);
    let expected = "variant = d2q9-bgk-f64-soa-dense-two-lattice-pull\nlattice = D2Q9\nsize = 5 x 4 x 1\n\
        directions = 9\nprecision = f64\nvalues = f64\n\
        populations = shifted post-collision f - w, order x,y,z,direction, little endian\n\
        step = 12345678901\nfields = \nmemory = 0\nparameter viscosity = 0x3fb999999999999a (1e-1)\n\
        parameter magic = 0x3fc8000000000000 (1.875e-1)\n";
    assert_eq!(text, expected);
}

#[test]
fn every_flipped_bit_is_refused() {
    let (_folder, path) = written(&state("f32"));
    let good = fs::read(&path).unwrap();
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            refused_in_memory(&bad);
        }
    }
}

#[test]
fn every_truncation_and_any_tail_is_refused() {
    let (_folder, path) = written(&state("f64"));
    let good = fs::read(&path).unwrap();
    for length in 1..good.len() {
        let message = refused_in_memory(&good[..length]);
        assert!(message.contains("truncated") && message.contains(&format!("{length} found")), "{message}");
    }
    assert!(refusal(&good[..200], &path).contains("truncated"));
    assert!(refusal(&[], &path).contains("not a checkpoint"));
    let message = refusal(&[good.as_slice(), b"x"].concat(), &path);
    assert!(message.contains(&format!("{} found", good.len() + 1)), "{message}");
}

#[test]
fn foreign_files_and_other_versions_are_named() {
    let (_folder, path) = written(&state("f64"));
    assert!(refusal(b"\x89PNG\r\n\x1a\n and a picture", &path).contains("not a checkpoint"));
    state("f64").write(&path).unwrap();
    let mut other = fs::read(&path).unwrap();
    other[8] = 7;
    let message = refusal(&other, &path);
    assert!(message.contains("version 7") && message.contains("reads versions 1 to 6"), "{message}");
}

#[test]
fn an_absurd_header_does_not_allocate() {
    let header = "variant = v\nlattice = D2Q9\nsize = 4000000000 x 4000000000 x 4000000000\ndirections = 9\n\
        precision = f64\npopulations = shifted post-collision f - w, order x,y,z,direction, little endian\n\
        step = 0\n";
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(1u32.to_le_bytes());
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    let message = refusal(&bytes, &folder.path().join("absurd"));
    assert!(message.contains("line 3"), "{message}");
}

#[test]
fn another_lattice_size_or_precision_is_named_with_both_values() {
    let state = state("f64");
    let path = Path::new("state.lbm");
    let fits = |lattice, size, precision| state.check_fits(path, lattice, size, precision);
    fits("D2Q9", [5, 4, 1], "f64").unwrap();
    let message = fits("D2Q5", [5, 4, 1], "f64").unwrap_err().to_string();
    assert!(message.contains("lattice D2Q9, the simulation D2Q5"), "{message}");
    let message = fits("D2Q9", [4, 5, 1], "f64").unwrap_err().to_string();
    assert!(message.contains("size 5 x 4 x 1, the simulation 4 x 5 x 1"), "{message}");
    let message = fits("D2Q9", [5, 4, 1], "f32").unwrap_err().to_string();
    assert!(message.contains("precision f64, the simulation f32"), "{message}");
}

#[test]
fn what_cannot_be_stored_is_refused_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.lbm");
    let good = state("f32");
    let refused = |bad: Checkpoint| bad.write(&path).unwrap_err().to_string();
    assert!(refused(Checkpoint { size: [7, 4, 1], ..good.clone() }).contains("7 x 4 x 1"));
    assert!(refused(Checkpoint { precision: "f 16\n".to_owned(), ..good.clone() }).contains("f 16\\n"));
    assert!(refused(Checkpoint { variant: "a\nb".to_owned(), ..good }).contains("a\\nb"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_missing_file_is_a_file_error() {
    assert!(matches!(
        Checkpoint::read(Path::new("no/such/state.lbm")),
        Err(Error::File { action: "read", .. })
    ));
}

#[test]
fn pieces_make_the_file_that_the_whole_makes_and_return() {
    let state = state("f32");
    let (_folder, whole) = written(&state);
    let path = whole.with_file_name("pieces.lbm");
    let header = Checkpoint { values: Vec::new(), ..state.clone() };
    let nodes = state.size.iter().product();
    header
        .write_from(&path, 4, &|take| {
            crate::pieces::pieces(0..nodes, 7).try_for_each(|nodes| {
                let mut values = vec![0.0; 9 * nodes.len()];
                crate::pieces::cut(&state.values, nodes.clone(), &mut values);
                take(nodes, &values)
            })
        })
        .unwrap();
    assert!(fs::read(&path).unwrap() == fs::read(&whole).unwrap());
    let stored = Stored::open(&path).unwrap();
    assert_eq!(stored.header, header);
    let mut populations = vec![0.0; state.values.len()];
    for nodes in crate::pieces::pieces(0..nodes, 6) {
        let mut values = vec![0.0; 9 * nodes.len()];
        stored.read(nodes.clone(), &mut values).unwrap();
        crate::pieces::paste(&mut populations, nodes, &values);
    }
    assert_eq!(populations, state.values);
}

/// Values come once where they are as wide as the storage says, else again for a wider type. Nothing is left of the first.
#[test]
fn values_are_asked_for_again_only_if_they_are_wider() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.lbm");
    let state = Checkpoint { values: Vec::new(), ..state("f32") };
    for (first, last, bytes, asked, name) in [
        (0.5f64, 0.25, 2, 1, "f16 times 2^15"),
        (0.5, 0.25, 3, 1, "f32"),
        (0.5, 0.25, 8, 1, "f64"),
        (0.5, 0.1, 4, 2, "f64"),
        (0.5, f64::from(0.1f32), 1, 2, "f32"),
        (0.1, f64::from(0.1f32), 1, 2, "f64"),
    ] {
        let times = std::cell::Cell::new(0);
        let hand_out = |take: Take<'_>| {
            times.set(times.get() + 1);
            take(0..7, &[first; 9 * 7])?;
            take(7..20, &[last; 9 * 13])
        };
        state.write_from(&path, bytes, &hand_out).unwrap();
        assert_eq!(times.get(), asked, "{first} {last} {bytes}");
        let bytes = fs::read(&path).unwrap();
        assert!(String::from_utf8_lossy(&bytes).contains(&format!("\nvalues = {name}\n")), "{name}");
        let values = Checkpoint::read(&path).unwrap().values;
        assert!((0..180).all(|n| values[n] == if n % 20 < 7 { first } else { last }));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn moments_return_and_their_header_says_how_many_and_which() {
    let mut state = Checkpoint { holds: Holds::MomentsAboutVelocity(6), ..state("f32") };
    state.values.truncate(6 * 20);
    let (_folder, path) = written(&state);
    assert_eq!(Checkpoint::read(&path).unwrap(), state);
    state.holds = Holds::Moments(6);
    let (_folder, path) = written(&state);
    assert_eq!(Checkpoint::read(&path).unwrap(), state);
    let mut file = fs::read(&path).unwrap();
    assert!(
        String::from_utf8_lossy(&file).contains("\nmoments = 6 of shifted post-collision f - w: isotropic")
    );
    // The version before knew none.
    file[8] = 2;
    assert!(refused_in_memory(&file).contains("line 7"), "{}", refused_in_memory(&file));
    state.holds = Holds::Moments(5);
    assert!(state.write(&path).unwrap_err().to_string().contains("120 values are not 5 a node of 5 x 4 x 1"));
}

#[test]
fn fields_of_nodes_return_behind_the_populations() {
    let mut state = Checkpoint { fields: vec!["ratio".to_owned(), "push_x".to_owned()], ..state("f32") };
    state.values.extend((0..2 * 20).map(|n| 1.0 + f64::from(n)));
    let (_folder, path) = written(&state);
    assert_eq!(Checkpoint::read(&path).unwrap(), state);
    let stored = Stored::open(&path).unwrap();
    let (mut populations, mut field) = ([0.0; 9 * 3], [0.0; 3]);
    stored.read(4..7, &mut populations).unwrap();
    stored.read_field(1, 4..7, &mut field).unwrap();
    assert_eq!((populations[3], field), (state.values[20 + 4], [25.0, 26.0, 27.0]));
    let plain = Checkpoint { fields: Vec::new(), ..state };
    assert!(plain.write(&path).is_err());
}

#[test]
fn what_rules_remember_comes_back_behind_all_values() {
    for fields in [Vec::new(), vec!["ratio".to_owned()]] {
        let mut state = Checkpoint { fields, memory: vec![0.1, -0.0, f64::INFINITY], ..state("f32") };
        state.values.extend((0..state.fields.len() * 20).map(|n| n as f64));
        let (_folder, path) = written(&state);
        let back = Checkpoint::read(&path).unwrap();
        assert_eq!(back, state);
        assert!(back.memory[1].is_sign_negative());
        assert_eq!(Stored::open(&path).unwrap().header.memory, state.memory);
        let good = fs::read(&path).unwrap();
        assert_eq!(good[8], 6);
        for length in [good.len() - 1, good.len() - 8, good.len() - 32] {
            assert!(refused_in_memory(&good[..length]).contains("truncated"));
        }
        for at in good.len() - 32..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            assert!(refused_in_memory(&bad).contains("checksum"));
        }
        // More numbers than the file has are not believed.
        let line = good.windows(11).position(|text| text == b"memory = 3\n").unwrap();
        let mut bad = good.clone();
        bad[line + 9] = b'9';
        assert!(refused_in_memory(&bad).contains("truncated"));
        bad[line + 9] = b'-';
        assert!(refused_in_memory(&bad).contains("how many numbers rules remember"));
    }
}

#[test]
fn what_hands_out_may_fail() {
    let (_folder, path) = written(&state("f32"));
    let before = fs::read(&path).unwrap();
    let asked = std::cell::Cell::new(0);
    let failure = state("f32").write_from(&path, 4, &|_| {
        asked.set(asked.get() + 1);
        Err(Error::conflict("a lost device", "none"))
    });
    assert!(matches!(failure, Err(Error::Conflict { .. })), "{failure:?}");
    assert!(fs::read(&path).unwrap() == before && asked.get() == 1);
}
