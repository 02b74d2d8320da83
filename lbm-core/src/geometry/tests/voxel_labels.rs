use std::io::Write;
use std::path::Path;

use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;

use crate::Error;
use crate::geometry::Regions;

fn read(bytes: &[u8]) -> Result<Regions, Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("labels.nrrd");
    std::fs::write(&path, bytes).unwrap();
    Regions::read_nrrd(&path)
}

fn file(fields: &str, labels: &[u8]) -> Vec<u8> {
    [format!("NRRD0004\n# a comment\n{fields}key:=value\n\n").as_bytes(), labels].concat()
}

fn refused(bytes: &[u8], parts: &[&str]) {
    let error = read(bytes).unwrap_err();
    assert!(matches!(error, Error::Format { .. } | Error::OutOfRange { .. }), "{error:?}");
    for part in parts {
        assert!(error.to_string().contains(part), "`{part}` in: {error}");
    }
}

#[test]
fn labels_of_every_kind_are_regions() {
    let check = |bytes: Vec<u8>| {
        let regions = read(&bytes).unwrap();
        assert_eq!((regions.size(), regions.region()), ([2, 3, 1], &[0, 1, 1, 0, 2, 0][..]));
        assert_eq!(regions.names(), ["label 3", "label 7"]);
        assert_eq!(regions.counts(), [2, 1]);
    };
    let labels = [0u64, 3, 3, 0, 7, 0];
    let of = |bytes: usize| labels.iter().flat_map(|l| l.to_le_bytes()[..bytes].to_vec()).collect::<Vec<_>>();
    let big: Vec<u8> = labels.iter().flat_map(|l| (*l as u16).to_be_bytes()).collect();
    check(file("type: uint8\ndimension: 2\nsizes: 2 3\nencoding: raw\n", &of(1)));
    check(file("type: short\nsizes: 2 3 1\nencoding: raw\nendian: little\n", &of(2)));
    check(file("type: unsigned short\nsizes: 2 3 1\nencoding: raw\nendian: big\n", &big));
    check(file("type: longlong\nsizes: 2 3 1\nencoding: raw\n", &of(8)));
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&of(4)).unwrap();
    check(file("type: int\nsizes: 2 3 1\nencoding: gzip\nendian: little\n", &packed.finish().unwrap()));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.raw"), of(1)).unwrap();
    let header = file("type: uchar\nsizes: 2 3 1\nencoding: raw\ndata file: a.raw\n", &[]);
    std::fs::write(folder.path().join("a.nhdr"), header).unwrap();
    let path: &Path = &folder.path().join("a.nhdr");
    assert_eq!(Regions::read_nrrd(path).unwrap().counts(), [2, 1]);
}

#[test]
fn what_is_wrong_with_a_stack_is_said() {
    refused(b"", &["does not begin with `NRRD000`"]);
    refused(b"NRRD0004\ntype: uint8\n", &["no field `sizes`"]);
    refused(
        &file("type: float\nsizes: 2 2\nencoding: raw\n", &[0; 16]),
        &["`type: float`", "integers of 8 to 64 bits"],
    );
    refused(&file("type: uint8\nsizes: 2\nencoding: raw\n", &[0; 2]), &["`sizes: 2`", "two or three"]);
    refused(&file("type: uint8\nsizes: 2 2\nencoding: bzip2\n", &[0; 4]), &["bzip2", "raw and gzip"]);
    refused(
        &file("type: uint8\nsizes: 2 2\nencoding: raw\n", &[0; 3]),
        &["4 labels of 1 bytes", "holds 3 bytes"],
    );
    refused(
        &file("type: int8\nsizes: 2 2\nencoding: raw\n", &[0, 0, 255, 0]),
        &["label -1 of voxel 2", "0 (fluid) to 65535"],
    );
    refused(&file("type: uint8\nsizes: 2 0\nencoding: raw\n", &[]), &["2 x 0 x 1"]);
    refused(&file("type: uint8\nsizes: 2 2\nencoding: raw\ndata file: /etc/passwd\n", &[]), &["same folder"]);
    let far = "type: uint8\nsizes: 4000000000 4000000000 4000000000\nencoding: raw\n";
    refused(&file(far, &[0; 3]), &["4000000000 x 4000000000 x 4000000000"]);
    // A packed file that claims more than deflate can hold is not unpacked.
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&[0; 100]).unwrap();
    let packed = packed.finish().unwrap();
    refused(
        &file("type: uint8\nsizes: 100000 100000 100000\nencoding: gzip\n", &packed),
        &["1000000000000000 labels", &format!("holds {} packed bytes", packed.len())],
    );
    // One that holds fewer labels than its length could is found out as they come.
    refused(&file("type: uint8\nsizes: 101 1\nencoding: gzip\n", &packed), &["101 labels", "holds fewer"]);
    refused(&file("type: uint8\nsizes: 10 10\nencoding: gzip\n", &packed[..packed.len() - 9]), &["labels"]);
    refused(&file("type: uint8\nsizes: 10 10\nencoding: gzip\n", &[7; 100]), &["cannot be unpacked"]);
    let header = "type: uint8\ndimension: 2\nsizes: 2 2 1\nencoding: raw\n";
    refused(&file(header, &[0; 4]), &["`dimension: 2`", "3, as many as there are in `sizes: 2 2 1`"]);
    let long = format!("NRRD0004\ncontent: {}\n", "x".repeat(1 << 17));
    refused(long.as_bytes(), &["longer than 65536 bytes"]);
}

/// Labels beyond the size are never unpacked: they could be of any number.
#[test]
fn a_stack_of_more_labels_than_its_header_says_is_refused() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&vec![1; 1 << 24]).unwrap();
    let mut packed = packed.finish().unwrap();
    // What is broken behind the first labels is not seen.
    packed.truncate(packed.len() / 2);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.nrrd");
    std::fs::write(&path, file("type: uint8\nsizes: 4 3 2\nencoding: gzip\n", &packed)).unwrap();
    assert_eq!(Regions::nrrd_size(&path).unwrap(), [4, 3, 2]);
    let text = Regions::read_nrrd(&path).unwrap_err().to_string();
    assert!(text.contains("says 4 x 3 x 2, which are 24 labels of 1 bytes, but it holds more"), "{text}");
    refused(&file("type: uint8\nsizes: 4 3 2\nencoding: raw\n", &[1; 25]), &["24 labels", "holds 25 bytes"]);
}

proptest! {
    #[test]
    fn a_damaged_stack_is_read_or_refused(
        place in any::<prop::sample::Index>(), value in any::<u8>(), length in any::<prop::sample::Index>(),
    ) {
        let mut bytes = file("type: uint16\nsizes: 4 5 2\nencoding: raw\nendian: big\n", &[1; 80]);
        let at = place.index(bytes.len());
        bytes[at] = value;
        if length.index(2) == 0 {
            bytes.truncate(length.index(bytes.len()));
        }
        let _ = read(&bytes);
    }
}
