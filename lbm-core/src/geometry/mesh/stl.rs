//! STL: triangles one by one, as text or binary.
//!
//! The crate `stl_io` reads the triangles; it takes no memory beforehand for those that a header claims. It knows no names, one solid a file,
//! lower-case words, and takes any file for text that begins with `solid `; what is more than that is done here.

use std::io::{Cursor, ErrorKind};
use std::ops::Range;
use std::path::Path;

use super::read::{EXPORT, in_file, wrong};
use super::{Mesh, Weld};
use crate::error::Error;

/// Bytes of a binary file before its triangles, and of each triangle.
const HEADER: usize = 84;
const TRIANGLE: usize = 50;

/// What the crate says where a word is no number; it does not say which.
const NO_NUMBER: &str = "invalid float literal";

/// How the crate begins to say that a number is none, or has more digits than single precision.
const NOT_FINITE: &str = "expected finite f32, got ";

/// The mesh of a file's bytes; the patch of a binary file, and of a solid without name, has the name `name`.
pub(super) fn parse(path: &Path, name: &str, mut bytes: Vec<u8>) -> Result<Mesh, Error> {
    let mut weld = Weld::default();
    if !is_text(&bytes) {
        check_length(path, &bytes)?;
        // So that no binary file is taken for text.
        bytes[..HEADER - 4].fill(0);
        add(path, &mut weld, name, &bytes, &[])?;
        return Ok(weld.into_mesh());
    }
    for Solid { name: own, lines } in solids(&bytes) {
        let before = &bytes[..lines.start];
        let mut text = b"solid \n".to_vec();
        // What is no ASCII can only be a part of a name.
        let plain = |byte: &u8| if byte.is_ascii() { byte.to_ascii_lowercase() } else { b'?' };
        text.extend(bytes[lines].iter().map(plain));
        let own = String::from_utf8_lossy(&bytes[own]).trim().to_owned();
        add(path, &mut weld, if own.is_empty() { name } else { &own }, &text, before)?;
    }
    Ok(weld.into_mesh())
}

/// Adds the triangles of a solid; `before` is what stands before its lines in the file, if that is a text.
fn add(path: &Path, weld: &mut Weld, name: &str, bytes: &[u8], before: &[u8]) -> Result<(), Error> {
    let patch = weld.patch(name).map_err(|error| in_file(path, error))?;
    let failed = |number: usize, error: std::io::Error| {
        let said = error.to_string();
        let what = match (error.kind(), said.strip_prefix(NOT_FINITE)) {
            (ErrorKind::UnexpectedEof, _) => "the file ends in the middle of it".to_owned(),
            (_, Some(rest)) => {
                let number = rest.split_whitespace().next().unwrap_or_default();
                format!("the number {number} is not finite, or beyond those of single precision")
            }
            _ if said == NO_NUMBER => no_number(bytes, before).unwrap_or(said),
            _ => said,
        };
        wrong(path, format!("triangle {} of `{name}`: {what}", number + 1), EXPORT)
    };
    let mut from = Cursor::new(bytes);
    let triangles = stl_io::create_stl_reader(&mut from).map_err(|error| failed(0, error))?;
    for (number, triangle) in triangles.enumerate() {
        let corners = triangle.map_err(|error| failed(number, error))?.vertices;
        let corners = corners.map(|corner| corner.0.map(f64::from));
        weld.push(corners, patch).map_err(|error| in_file(path, error))?;
    }
    Ok(())
}

/// Which word of a solid is the first that should be a number and is none, and in which line of the file: the solid's own first line is put before
/// those that it has there.
fn no_number(solid: &[u8], before: &[u8]) -> Option<String> {
    let first = before.iter().filter(|&&byte| byte == b'\n').count();
    std::str::from_utf8(solid).ok()?.lines().enumerate().find_map(|(line, text)| {
        let mut words = text.split_whitespace();
        let others = match words.next()? {
            "facet" => 1,
            "vertex" => 0,
            _ => return None,
        };
        let wrong = words.skip(others).find(|word| word.parse::<f32>().is_err())?;
        Some(format!("`{wrong}` in line {} is no number", first + line))
    })
}

/// A binary file's length must be that of the triangles that it claims.
fn check_length(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let Some(count) = claimed(bytes) else {
        let what = format!("the file has {} bytes; a binary STL file has at least {HEADER}", bytes.len());
        return Err(wrong(path, what, EXPORT));
    };
    let needed = HEADER as u64 + TRIANGLE as u64 * u64::from(count);
    if needed <= bytes.len() as u64 {
        return Ok(());
    }
    let holds = (bytes.len() - HEADER) / TRIANGLE;
    let what = format!(
        "its header says {count} triangles, which take {needed} bytes, but the file has {}, enough for {holds}",
        bytes.len()
    );
    Err(wrong(path, what, "give the whole file, or export the surface again"))
}

/// The triangles that a binary file says it has.
fn claimed(bytes: &[u8]) -> Option<u32> {
    let count = bytes.get(HEADER - 4..HEADER)?;
    Some(u32::from_le_bytes(count.try_into().expect("four bytes")))
}

/// Whether a file is text: it begins with `solid`, is not as long as a binary file that claims its triangles, and its first lines have
/// no byte that is none of a text.
fn is_text(bytes: &[u8]) -> bool {
    let exact = claimed(bytes)
        .is_some_and(|count| HEADER as u64 + TRIANGLE as u64 * u64::from(count) == bytes.len() as u64);
    let start = bytes.trim_ascii_start();
    let head = &start[..start.len().min(HEADER)];
    !exact && starts_with(start, b"solid") && !head.contains(&0)
}

fn starts_with(line: &[u8], word: &[u8]) -> bool {
    line.len() >= word.len() && line[..word.len()].eq_ignore_ascii_case(word)
}

/// A solid of a text: where its name stands, and its lines behind that, the last one included.
struct Solid {
    name: Range<usize>,
    lines: Range<usize>,
}

fn solids(bytes: &[u8]) -> Vec<Solid> {
    let mut solids: Vec<Solid> = Vec::new();
    let (mut start, mut open) = (0, false);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let end = start + line.len();
        let words = line.trim_ascii_start();
        if !open && starts_with(words, b"solid") {
            solids.push(Solid { name: end - words.len() + b"solid".len()..end, lines: end..end });
            open = true;
        } else if let Some(solid) = solids.last_mut().filter(|_| open) {
            solid.lines.end = end;
            open = !starts_with(words, b"endsolid");
        }
        start = end;
    }
    solids
}
