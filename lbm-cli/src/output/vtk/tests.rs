//! Files are read back by their own words, and by VTK's reader where Python has it.

#[path = "../../../../tests/skipped/mod.rs"]
mod skipped;

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::Command;

use flate2::read::ZlibDecoder;

use self::skipped::skipped;
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
    let fields = Image {
        size: SIZE,
        low: [0; 3],
        origin: [0.0; 3],
        spacing: 0.25,
        arrays: &arrays,
        solid: Some(&solid),
    };
    let mut series = TimeSeries::new(folder, encoding);
    series.add(0, 0.0, &fields).unwrap();
    series.add(100, 2.5, &fields).unwrap();
    series.add(100, 2.5, &fields).unwrap();
    (series, density, velocity, solid)
}

/// The nodes of a piece of the box, along each axis.
type Ranges = [std::ops::Range<usize>; 3];

/// The image of the second frame in four pieces of different sizes, beside the whole one.
fn in_pieces(folder: &Path, encoding: Encoding) -> (PathBuf, TimeSeries) {
    let (mut series, density, velocity, solid) = series(folder, encoding);
    let pieces: [Ranges; 4] =
        [[0..2, 0..3, 0..1], [2..5, 0..3, 0..1], [0..5, 0..2, 1..2], [0..5, 2..3, 1..2]];
    let nodes = |[x, y, z]: &Ranges| -> Vec<usize> {
        let rows = z.clone().flat_map(|z| y.clone().map(move |y| 5 * (y + 3 * z)));
        rows.flat_map(|row| x.clone().map(move |x| row + x)).collect()
    };
    let cut = pieces.each_ref().map(|piece| {
        let nodes = nodes(piece);
        let vectors: Vec<f64> = nodes.iter().flat_map(|&n| velocity[n]).collect();
        (
            nodes.iter().map(|&n| density[n]).collect::<Vec<_>>(),
            vectors,
            nodes.iter().map(|&n| solid[n]).collect::<Vec<_>>(),
        )
    });
    let arrays = cut.each_ref().map(|(density, velocity, _)| {
        [
            FieldArray { name: "density", components: 1, values: Numbers::Whole(density), scale: 2.0 },
            FieldArray { name: "velocity", components: 3, values: Numbers::Whole(velocity), scale: 1.0 },
        ]
    });
    let image = |n: usize| Image {
        size: pieces[n].each_ref().map(std::iter::ExactSizeIterator::len),
        low: pieces[n].each_ref().map(|range| range.start),
        origin: [0.0; 3],
        spacing: 0.25,
        arrays: &arrays[n],
        solid: Some(&cut[n].2),
    };
    let images = [0, 1, 2, 3].map(|n| (n, image(n)));
    images.iter().for_each(|(n, image)| series.add_piece(100, *n, image).unwrap());
    let whole = Image { size: SIZE, low: [0; 3], ..image(0) };
    series.add_pieces(100, 2.5, &whole, &images).unwrap();
    (folder.join("fields_000000100.pvti"), series)
}

#[test]
fn pieces_are_named_once_with_where_they_lie() {
    let folder = tempfile::tempdir().unwrap();
    let (path, series) = in_pieces(folder.path(), Encoding::default());
    let text = fs::read_to_string(path).unwrap();
    let xml = roxmltree::Document::parse(&text).unwrap();
    let image = xml.descendants().find(|n| n.has_tag_name("PImageData")).unwrap();
    assert_eq!(image.attribute("WholeExtent"), Some("0 5 0 3 0 2"));
    let pieces: Vec<_> = xml.descendants().filter(|n| n.has_tag_name("Piece")).collect();
    let extents: Vec<_> = pieces.iter().map(|piece| piece.attribute("Extent").unwrap()).collect();
    assert_eq!(extents, ["0 2 0 3 0 1", "2 5 0 3 0 1", "0 5 0 2 1 2", "0 5 2 3 1 2"]);
    for (piece, extent) in pieces.iter().zip(extents) {
        let (text, _) = parts(&folder.path().join(piece.attribute("Source").unwrap()));
        let xml = roxmltree::Document::parse(&text).unwrap();
        let own = xml.descendants().find(|n| n.has_tag_name("ImageData")).unwrap();
        assert_eq!(own.attribute("WholeExtent"), Some(extent));
    }
    let index = fs::read_to_string(series.index()).unwrap();
    assert!(index.contains("fields_000000000.vti") && index.contains("timestep=\"2.5\""));
    assert!(index.contains("fields_000000100.pvti"), "{index}");
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
        let fields = Image {
            size: [5, 3, 1],
            low: [0; 3],
            origin: [0.0; 3],
            spacing: 1.0,
            arrays: &arrays,
            solid: None,
        };
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

/// Prints the sums of the arrays of a file, and what its nodes have one by one.
const READER: &str = "
import sys
from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLPImageDataReader
from vtkmodules.util.numpy_support import vtk_to_numpy
reader = (vtkXMLPImageDataReader if sys.argv[1].endswith('.pvti') else vtkXMLImageDataReader)()
reader.SetFileName(sys.argv[1])
reader.Update()
cells = reader.GetOutput().GetCellData()
print(reader.GetOutput().GetDimensions(), *[float(vtk_to_numpy(cells.GetArray(n)).sum()) for n in ('density', 'velocity', 'solid')])
for name in ('density', 'velocity', 'solid', 'vtkGhostType'):
    print(*vtk_to_numpy(cells.GetArray(name)).flatten().tolist())
print(*reader.GetOutput().GetOrigin(), *reader.GetOutput().GetSpacing())
";

/// What VTK's reader says of a file.
fn read_by_vtk(wheel: &std::ffi::OsStr, file: &Path) -> String {
    let read =
        Command::new("python3").env("PYTHONPATH", wheel).args(["-c", READER]).arg(file).output().unwrap();
    let (said, wrong) = (String::from_utf8_lossy(&read.stdout), String::from_utf8_lossy(&read.stderr));
    assert!(read.status.success() && wrong.is_empty(), "{said}{wrong}");
    said.into_owned()
}

#[test]
fn the_reader_of_paraview_opens_them() {
    // The folder that `.ci/vtk` prints.
    let Some(wheel) = std::env::var_os("LBM_VTK") else {
        assert!(std::env::var_os("LBM_REQUIRE_VTK").is_none(), "LBM_VTK is not set");
        skipped("set LBM_VTK to what .ci/vtk prints");
        return;
    };
    for encoding in ENCODINGS {
        let folder = tempfile::tempdir().unwrap();
        let (_, density, velocity, solid) = series(folder.path(), encoding);
        let file = folder.path().join("fields_000000100.vti");
        let said = read_by_vtk(&wheel, &file);
        let (pieces, _) = in_pieces(folder.path(), encoding);
        assert_eq!(read_by_vtk(&wheel, &pieces), said, "{encoding:?}");
        let said = said.lines().next().unwrap_or_default();
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
