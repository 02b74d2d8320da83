use std::path::{Path, PathBuf};

use proptest::prelude::*;

use crate::Error;
use crate::geometry::{Mesh, MeshBody};

fn written(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The message of a file that is refused as no good one.
fn refused(name: &str, bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let error = Mesh::read(&written(folder.path(), name, bytes)).unwrap_err();
    assert!(matches!(error, Error::Format { .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.contains(name), "{text}");
    text
}

/// The bytes of a body's file.
fn bytes_of(body: MeshBody) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("body.stl");
    body.mesh(8).unwrap().write_stl(&path).unwrap();
    std::fs::read(path).unwrap()
}

#[test]
fn binary_and_text_go_out_and_return() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ball.stl");
    for body in [MeshBody::Sphere, MeshBody::AhmedBody, MeshBody::TorusPipe] {
        let mesh = body.mesh(16).unwrap();
        mesh.write_stl(&path).unwrap();
        let back = Mesh::read(&path).unwrap();
        assert_eq!(back.triangles().len(), mesh.triangles().len());
        assert_eq!(back.vertices().len(), mesh.vertices().len(), "{body:?}: corners meet again");
        assert!((back.volume() / mesh.volume() - 1.0).abs() < 1e-5);
        // A binary file has no names; the file's is taken.
        if mesh.names().len() == 1 {
            assert_eq!(back.names(), ["ball"]);
        } else {
            assert_eq!(back.names(), mesh.names());
        }
    }
}

#[test]
fn text_is_read_in_any_case_with_names_or_without() {
    let folder = tempfile::tempdir().unwrap();
    let facet = "  FACET NORMAL 0 0 1\n OUTER LOOP\nvertex 0 0 0\r\n vertex 1 0 0\n vertex 0 1E0 0\nENDLOOP\nendfacet\n";
    let text = format!("SOLID Inlet A\n{facet}{facet}ENDSOLID \u{e9}\n\nsolid\n{facet}endsolid\n");
    let mesh = Mesh::read(&written(folder.path(), "two.STL", text.as_bytes())).unwrap();
    assert_eq!((mesh.names(), mesh.patches()), (&["Inlet A".to_owned(), "two".into()][..], &[0, 0, 1][..]));
    // A name in another encoding is no reason to refuse a file.
    let other = [format!("solid b\n{facet}endsolid ").as_bytes(), &[0xe9, b'\n']].concat();
    assert_eq!(Mesh::read(&written(folder.path(), "b.stl", &other)).unwrap().names(), ["b"]);
    assert_eq!(mesh.vertices().len(), 3);
}

#[test]
fn a_binary_file_that_begins_with_solid_is_binary() {
    let mut bytes = bytes_of(MeshBody::Sphere);
    bytes[..10].copy_from_slice(b"solid ball");
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Mesh::read(&written(folder.path(), "a.stl", &bytes)).unwrap().triangles().len(), 2 * 16 * 7);
}

#[test]
fn groups_and_polygons_of_an_obj_file_are_patches_of_triangles() {
    let folder = tempfile::tempdir().unwrap();
    let text = "# a pyramid\nmtllib none.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 1\n\
                g base\nf 1 4 3 2\ng sides\nusemtl red\nf 1 2 5\nf 2/1 3/1 5/1\nf -3 -2 -1\nf 4//1 1//1 5//1\nl 1 2\n";
    let mesh = Mesh::read(&written(folder.path(), "a.obj", text.as_bytes())).unwrap();
    assert_eq!(
        (mesh.names(), mesh.patches()),
        (&["base".to_owned(), "sides".into()][..], &[0, 0, 1, 1, 1, 1][..])
    );
    assert_eq!(mesh.vertices().len(), 5);
    assert!((mesh.volume() - 1.0 / 3.0).abs() < 1e-12);
    let nameless =
        Mesh::read(&written(folder.path(), "b.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")).unwrap();
    assert_eq!(nameless.names(), ["b"]);
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    assert!(refused("a.stl", b"").contains("the file is empty"));
    assert!(refused("a.obj", b"# nothing\n").contains("0 triangles"));
    assert!(refused("a.stl", b"solid a\nendsolid a\n").contains("0 triangles"));
    assert!(refused("a.ply", b"ply\n").contains("neither in .stl nor in .obj"));
    assert!(refused("a.stl", b"short").contains("has 5 bytes; a binary STL file has at least 84"));
    // 10^9 triangles in a header.
    let mut claims = bytes_of(MeshBody::Sphere);
    claims[80..84].copy_from_slice(&1_000_000_000u32.to_le_bytes());
    let text = refused("a.stl", &claims);
    assert!(
        text.contains("says 1000000000 triangles, which take 50000000084 bytes, but the file has 11284"),
        "{text}"
    );
    let whole = bytes_of(MeshBody::Sphere);
    assert!(refused("a.stl", &whole[..whole.len() - 1]).contains("enough for 223"));
    let mut nan = whole.clone();
    nan[84 + 50 * 5 + 12..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    let text = refused("a.stl", &nan);
    assert!(text.contains("triangle 6 = NaN") && text.contains("1e30"), "{text}");
    let text = refused("a.obj", b"v 0 0 0\nv 1e300 0 0\nv 0 1 0\nf 1 2 3\n");
    assert!(text.contains("triangle 1 = 1e300 is out of range") && text.contains("1e30;"), "{text}");
    assert!(refused("a.obj", b"v 0 0 0\nf 1 2 3\n").contains("index out of bounds"));
    for index in
        ["0", "4", "-4", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "/1", "a"]
    {
        let text = refused("a.obj", format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nf {index} 2 3\n").as_bytes());
        assert!(text.contains("out of bounds") || text.contains("face parse error"), "{index}: {text}");
    }
    assert!(refused("a.obj", b"v 0 zero 0\n").contains("position"));
    let text = refused("a.obj", b"v 0 0 0\nv 1 0 0\n\nv 0 1 0\nf 1 2 3\nf 1 2 7\ng b\nv 2 2 2\nf 4 4 4\n");
    assert!(text.contains("index out of bounds in line 6: `f 1 2 7`, with 3 vertices"), "{text}");
    let text = refused("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 one\nf 1 2 3\n");
    assert!(text.contains("position parse error in line 3: `v 0 1 one`"), "{text}");
    let facet =
        "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex nan 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    let text = refused("a.stl", format!("solid a\n{facet}endsolid\n").as_bytes());
    assert!(text.contains("triangle 1 of `a`: the number NaN is not finite"), "{text}");
    let two = facet.replace("nan", "1.2.3") + "endsolid\n";
    let text = refused("a.stl", format!("\nsolid a\nendsolid\nsolid b\n{two}").as_bytes());
    assert!(text.contains("triangle 1 of `b`: `1.2.3` in line 8 is no number"), "{text}");
    let text = refused("a.stl", b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n");
    assert!(text.contains("triangle 1 of `a`: the file ends in the middle"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Mesh::read(&folder.path().join("none.stl")), Err(Error::File { .. })));
}

#[test]
fn a_polygon_of_very_many_corners_is_refused() {
    let vertices: String = (0..10_001).map(|n| format!("v {n} {} 0\n", n % 2)).collect();
    let polygon = |corners: usize| (1..=corners).map(|n| format!(" {n}")).collect::<String>();
    let folder = tempfile::tempdir().unwrap();
    let fan = written(folder.path(), "fan.obj", format!("{vertices}f{}\n", polygon(10_000)).as_bytes());
    assert_eq!(Mesh::read(&fan).unwrap().triangles().len(), 9_998);
    let text = refused("a.obj", format!("{vertices}f{}\n", polygon(10_001)).as_bytes());
    assert!(text.contains("line 10002 has 10001 corners, at most 10000"), "{text}");
}

#[test]
fn more_patches_than_65535_are_refused() {
    let mut text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_owned();
    for group in 0..65_536 {
        text += &format!("g {group}\nf 1 2 3\n");
    }
    assert!(refused("a.obj", text.as_bytes()).contains("named parts = 65536 is out of range: at most 65535"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever becomes of a good file on its way: it is read or refused, and what is read can be painted.
    #[test]
    fn a_damaged_file_is_read_or_refused(
        kind in 0..3usize,
        cut in any::<prop::sample::Index>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let (name, mut bytes) = match kind {
            0 => ("a.stl", bytes_of(MeshBody::Sphere)),
            1 => ("a.stl", bytes_of(MeshBody::TorusPipe)),
            _ => ("a.obj", b"o a\nv 0 0 0\nv 5 0 0\nv 5 5 0\nv 0 5 0\nv 2 2 4\ng b\nf 1 4 3 2\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n".to_vec()),
        };
        for (place, value) in damage {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        if cut.index(3) == 0 {
            bytes.truncate(cut.index(bytes.len()));
        }
        let folder = tempfile::tempdir().unwrap();
        match Mesh::read(&written(folder.path(), name, &bytes)) {
            Err(Error::Format { .. }) => {}
            Err(other) => prop_assert!(false, "{other}"),
            Ok(mesh) => {
                let surface = crate::geometry::Surface::of(mesh).unwrap();
                prop_assert!(surface.condition().warnings().len() < 8);
                crate::geometry::Geometry::of([6; 3], &surface).unwrap();
            }
        }
    }
}
