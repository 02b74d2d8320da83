use crate::Error;
use crate::geometry::{Geometry, Sphere};

#[test]
fn raw_files_go_out_and_return() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ball.raw");
    let geometry = Geometry::of([9, 8, 7], &Sphere { centre: [4.0; 3], radius: 3.0 }).unwrap();
    std::fs::write(&path, geometry.solid()).unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 504);
    assert_eq!(Geometry::read_raw(&path, [9, 8, 7]).unwrap(), geometry);
    // Any other value than 0 is solid.
    std::fs::write(&path, [0, 1, 255, 0, 7, 0]).unwrap();
    assert_eq!(Geometry::read_raw(&path, [3, 2, 1]).unwrap().solid(), [0, 1, 1, 0, 1, 0]);
}

#[test]
fn a_file_of_another_size_is_refused_with_both() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cube.raw");
    std::fs::write(&path, vec![0; 512]).unwrap();
    let error = Geometry::read_raw(&path, [9, 8, 7]).unwrap_err();
    assert!(matches!(error, Error::Format { .. }));
    let text = error.to_string();
    assert!(
        text.contains("the file has 512 bytes, but a box of 9 x 8 x 7 has 504 nodes of one byte each"),
        "{text}"
    );
    assert!(text.ends_with(
        "give the size that the file was written with, perhaps 8 x 8 x 8, or a file of 504 bytes"
    ));
    assert!(Geometry::read_raw(&path, [8, 8, 0]).is_err());
    std::fs::write(&path, []).unwrap();
    assert!(Geometry::read_raw(&path, [1; 3]).unwrap_err().to_string().contains("has 0 bytes"));
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Geometry::read_raw(&folder.path().join("missing.raw"), [2; 3]).unwrap_err();
    assert!(matches!(missing, Error::File { action: "read", .. }), "{missing}");
    assert!(missing.to_string().contains("missing.raw"));
    assert!(Geometry::read_raw(folder.path(), [2; 3]).is_err(), "a folder");
}
