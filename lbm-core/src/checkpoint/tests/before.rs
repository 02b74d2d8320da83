//! Files of versions before, byte by byte as they were written.

use super::*;

/// The first version.
#[test]
fn version_1_is_read() {
    let mut state = state("f32");
    for (precision, bytes) in [("f32", 4), ("f32in64", 4), ("f64", 8)] {
        state.precision = precision.to_owned();
        let header = format!(
            "variant = {}\nlattice = D2Q9\nsize = 5 x 4 x 1\ndirections = 9\nprecision = {precision}\n\
             populations = shifted post-collision f - w, order x,y,z,direction, little endian\nstep = {}\n\
             parameter viscosity = 0x3fb999999999999a (1e-1)\nparameter magic = 0x3fc8000000000000 (1.875e-1)\n",
            state.variant, state.step
        );
        let mut file = MAGIC.to_vec();
        file.extend(1u32.to_le_bytes());
        file.extend((header.len() as u32).to_le_bytes());
        file.extend(header.as_bytes());
        for &value in &state.values {
            match bytes {
                4 => file.extend((value as f32).to_le_bytes()),
                _ => file.extend(value.to_le_bytes()),
            }
        }
        file.extend(crc32fast::hash(&file).to_le_bytes());
        let mut values = Vec::new();
        let take = &mut |lie: Values, bytes: &[u8]| lie.decode(bytes, &mut values);
        let parsed = parse(file.as_slice(), file.len() as u64, take).ok().unwrap();
        assert_eq!(Checkpoint { values, ..parsed.checkpoint }, state, "{precision}");
    }
}

/// Versions 3 to 5 as they were written: the header's lines of a version, and one sum of all behind.
#[test]
fn versions_with_one_sum_are_read() {
    let names = ["ratio".to_owned(), "push_x".to_owned()];
    for (version, fields, memory) in [
        (3u32, &names[..0], &[][..]),
        (4, &names, &[]),
        (5, &names[..0], &[0.5, -0.0]),
        (5, &names, &[f64::INFINITY]),
    ] {
        let mut state = Checkpoint { fields: fields.to_vec(), memory: memory.to_vec(), ..state("f32") };
        state.values.extend((0..fields.len() * 20).map(|n| 1.0 + n as f64));
        let mut header = format!(
            "variant = {}\nlattice = D2Q9\nsize = 5 x 4 x 1\ndirections = 9\nprecision = f32\nvalues = f32\n\
             populations = shifted post-collision f - w, order x,y,z,direction, little endian\nstep = {}\n",
            state.variant, state.step
        );
        if version >= 4 {
            header += &format!("fields = {}\n", fields.join(", "));
        }
        if version >= 5 {
            header += &format!("memory = {}\n", memory.len());
        }
        header += "parameter viscosity = 0x3fb999999999999a (1e-1)\nparameter magic = 0x3fc8000000000000 (1.875e-1)\n";
        let mut file = [&MAGIC[..], &version.to_le_bytes(), &(header.len() as u32).to_le_bytes()].concat();
        file.extend(header.as_bytes());
        file.extend(state.values.iter().flat_map(|&value| (value as f32).to_le_bytes()));
        file.extend(memory.iter().flat_map(|number| number.to_le_bytes()));
        file.extend(crc32fast::hash(&file).to_le_bytes());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.lbm");
        fs::write(&path, &file).unwrap();
        assert_eq!(Checkpoint::read(&path).unwrap(), state, "version {version}");
        let stored = Stored::open(&path).unwrap();
        let mut piece = [0.0; 9 * 3];
        stored.read(4..7, &mut piece).unwrap();
        assert_eq!((stored.header.memory.as_slice(), piece[3]), (memory, state.values[20 + 4]));
        file[200] ^= 1;
        refused_in_memory(&file);
    }
}
