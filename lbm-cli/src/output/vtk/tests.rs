//! Files are read back by their own words, and by VTK's reader where Python has it.

use std::fs;
use std::io::Read;
use std::process::Command;

use flate2::read::ZlibDecoder;

use super::*;
use crate::simulation::{Initial, Problem, Viscosity};
use crate::variants;

/// A file: what is XML in it, and the appended bytes.
fn parts(path: &Path) -> (String, Vec<u8>) {
    let bytes = fs::read(path).unwrap();
    let mark = b"<AppendedData encoding=\"raw\">\n_";
    let at = bytes.windows(mark.len()).position(|some| some == mark).unwrap();
    let end = b"\n</AppendedData>\n</VTKFile>\n";
    assert!(bytes.ends_with(end));
    let xml = String::from_utf8(bytes[..at].to_vec()).unwrap() + "</VTKFile>";
    (xml, bytes[at + mark.len()..bytes.len() - end.len()].to_vec())
}

fn word(bytes: &[u8], n: usize) -> usize {
    u64::from_le_bytes(bytes[8 * n..][..8].try_into().unwrap()) as usize
}

/// The type of an array and its bytes, read by its declared offset as VTK does.
fn array(xml: &roxmltree::Document<'_>, appended: &[u8], name: &str) -> (String, Vec<u8>) {
    let node = xml.descendants().find(|n| n.attribute("Name") == Some(name)).unwrap();
    let offset: usize = node.attribute("offset").unwrap().parse().unwrap();
    let kind = node.attribute("type").unwrap().to_owned();
    let bytes = &appended[offset..];
    if xml.root_element().attribute("compressor").is_none() {
        return (kind, bytes[8..][..word(bytes, 0)].to_vec());
    }
    let (blocks, length, last) = (word(bytes, 0), word(bytes, 1), word(bytes, 2));
    let (mut at, mut all) = (8 * (3 + blocks), Vec::new());
    for block in 0..blocks {
        let packed = word(bytes, 3 + block);
        let before = all.len();
        ZlibDecoder::new(&bytes[at..at + packed]).read_to_end(&mut all).unwrap();
        let expected = if block + 1 == blocks && last > 0 { last } else { length };
        assert_eq!(all.len() - before, expected);
        at += packed;
    }
    (kind, all)
}

fn numbers((kind, bytes): (String, Vec<u8>)) -> Vec<f64> {
    match kind.as_str() {
        "Float32" => bytes.as_chunks().0.iter().map(|&b| f64::from(f32::from_le_bytes(b))).collect(),
        "Float64" => bytes.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect(),
        _ => panic!("{kind}"),
    }
}

const SIZE: [usize; 3] = [5, 3, 2];

/// A series of two frames in a folder.
fn series(folder: &Path, encoding: Encoding) -> (TimeSeries, Vec<f64>, Vec<[f64; 3]>, Vec<bool>) {
    let nodes = SIZE.iter().product::<usize>();
    let density: Vec<f64> = (0..nodes).map(|i| 1.0 + 1e-3 * (i as f64).sin()).collect();
    let velocity: Vec<[f64; 3]> = density.iter().map(|&d| [d, -d, 1e-310 * d]).collect();
    let solid: Vec<bool> = (0..nodes).map(|i| i % 7 == 0).collect();
    let arrays = [
        FieldArray { name: "density", components: 1, values: Numbers::Whole(&density), scale: 2.0 },
        FieldArray {
            name: "velocity",
            components: 3,
            values: Numbers::Whole(velocity.as_flattened()),
            scale: 1.0,
        },
    ];
    let fields = Image { size: SIZE, origin: [0.0; 3], spacing: 0.25, arrays: &arrays, solid: Some(&solid) };
    let mut series = TimeSeries::new(folder, encoding);
    series.add(0, 0.0, &fields).unwrap();
    series.add(100, 2.5, &fields).unwrap();
    series.add(100, 2.5, &fields).unwrap();
    (series, density, velocity, solid)
}

const ENCODINGS: [Encoding; 4] = [
    Encoding { wide: false, compressed: false },
    Encoding { wide: true, compressed: false },
    Encoding { wide: false, compressed: true },
    Encoding { wide: true, compressed: true },
];

#[test]
fn the_numbers_read_back_by_their_offsets() {
    for encoding in ENCODINGS {
        let folder = tempfile::tempdir().unwrap();
        let (series, density, velocity, solid) = series(folder.path(), encoding);
        let index = fs::read_to_string(series.index()).unwrap();
        let index = roxmltree::Document::parse(&index).unwrap();
        let sets: Vec<_> = index.descendants().filter(|n| n.has_tag_name("DataSet")).collect();
        assert_eq!(sets.len(), 2);
        assert_eq!(sets[1].attribute("timestep"), Some("2.5"));
        let (text, appended) = parts(&folder.path().join(sets[1].attribute("file").unwrap()));
        let xml = roxmltree::Document::parse(&text).unwrap();
        let image = xml.descendants().find(|n| n.has_tag_name("ImageData")).unwrap();
        assert_eq!(image.attribute("WholeExtent"), Some("0 5 0 3 0 2"));
        assert_eq!(image.attribute("Spacing"), Some("0.25 0.25 0.25"));
        let as_written = |value: f64| if encoding.wide { value } else { f64::from(value as f32) };
        let expected: Vec<f64> = density.iter().map(|d| as_written(2.0 * d)).collect();
        assert_eq!(numbers(array(&xml, &appended, "density")), expected);
        let expected: Vec<f64> = velocity.as_flattened().iter().map(|&u| as_written(u)).collect();
        assert_eq!(numbers(array(&xml, &appended, "velocity")), expected);
        let flags = |yes: u8| solid.iter().map(|&s| if s { yes } else { 0 }).collect::<Vec<_>>();
        assert_eq!(array(&xml, &appended, "solid").1, flags(1));
        assert_eq!(array(&xml, &appended, "vtkGhostType").1, flags(32));
    }
}

#[test]
fn fields_in_every_precision_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fields.vti");
    for variant in variants::in_every_precision("d2q9-trt-guo", "soa-dense-two-lattice-pull") {
        let swirl =
            |[x, y, _]: [usize; 3]| Initial::velocity([0.02 * (y as f64).sin(), 0.01 * x as f64, 0.0]);
        let problem = Problem {
            size: Some([5, 3].into()),
            viscosity: Some(Viscosity::Value(0.02)),
            initial: Some(Box::new(swirl)),
            ..Problem::default()
        };
        let mut flow = variant.build(problem).unwrap();
        flow.run(3).unwrap();
        let velocity = flow.velocity().unwrap();
        let (name, components) = ("velocity", 3);
        let values = Numbers::Whole(velocity.as_flattened());
        let arrays = [FieldArray { name, components, values, scale: 1.0 }];
        let fields = Image { size: [5, 3, 1], origin: [0.0; 3], spacing: 1.0, arrays: &arrays, solid: None };
        write_fields(&path, &fields, Encoding { wide: true, compressed: true }).unwrap();
        let (text, appended) = parts(&path);
        let xml = roxmltree::Document::parse(&text).unwrap();
        let read = numbers(array(&xml, &appended, "velocity"));
        assert!(read == velocity.as_flattened() && read[..2] != [0.0; 2], "{}: {read:?}", variant.name);
    }
}

#[test]
fn compressed_blocks_are_as_long_as_they_say() {
    let values: Vec<f64> = (0..BLOCK / 8 + 5).map(|n| n as f64).collect();
    for (count, blocks, last) in [(BLOCK / 8, 1, 0), (BLOCK / 8 + 5, 2, 40)] {
        let packed = Values::Floats(Numbers::Whole(&values[..count]), 1.0).compressed(true).unwrap();
        assert_eq!([0, 1, 2].map(|n| word(&packed, n)), [blocks, BLOCK, last]);
    }
}

/// Prints the sums of the arrays of a file.
const READER: &str = "
import sys
from vtkmodules.vtkIOXML import vtkXMLImageDataReader
from vtkmodules.util.numpy_support import vtk_to_numpy
reader = vtkXMLImageDataReader()
reader.SetFileName(sys.argv[1])
reader.Update()
cells = reader.GetOutput().GetCellData()
print(reader.GetOutput().GetDimensions(), *[float(vtk_to_numpy(cells.GetArray(n)).sum()) for n in ('density', 'velocity', 'solid')])
";

#[test]
fn the_reader_of_paraview_opens_them() {
    // The folder that `.ci/vtk` prints.
    let Some(wheel) = std::env::var_os("LBM_VTK") else {
        assert!(std::env::var_os("LBM_REQUIRE_VTK").is_none(), "LBM_VTK is not set");
        eprintln!("skipped: set LBM_VTK to what .ci/vtk prints");
        return;
    };
    for encoding in ENCODINGS {
        let folder = tempfile::tempdir().unwrap();
        let (_, density, velocity, solid) = series(folder.path(), encoding);
        let file = folder.path().join("fields_000000100.vti");
        let read = Command::new("python3")
            .env("PYTHONPATH", &wheel)
            .args(["-c", READER])
            .arg(&file)
            .output()
            .unwrap();
        let (said, wrong) = (String::from_utf8_lossy(&read.stdout), String::from_utf8_lossy(&read.stderr));
        assert!(read.status.success() && wrong.is_empty(), "{encoding:?}: {said}{wrong}");
        let found = said.trim().strip_prefix("(6, 4, 3) ").unwrap_or_else(|| panic!("{said}"));
        let sums = [
            2.0 * density.iter().sum::<f64>(),
            velocity.as_flattened().iter().sum(),
            solid.iter().filter(|&&solid| solid).count() as f64,
        ];
        for (found, sum) in found.split(' ').map(|sum| sum.parse::<f64>().unwrap()).zip(sums) {
            assert!((found - sum).abs() < 1e-4, "{encoding:?}: {said}");
        }
    }
}
