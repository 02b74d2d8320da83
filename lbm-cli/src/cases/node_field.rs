//! A field of nodes as a setting or a case file says it: a formula of the place, or a file of numbers, perhaps with a formula of these.
//!
//! | text | value of the node |
//! |---|---|
//! | `0.1 + select(y < 8, 0.2, 0)` | the formula, in the language of `collision!`; `x`, `y`, `z` are the node's centre, node 0 has 1/2 |
//! | `rock.raw` | its number, x fastest: bytes from 0 to 255, or of 4 or 8 bytes a node, little-endian |
//! | `rock.png` | its pixel, from 0 for black to 1 for white; the last row is y = 0 |
//! | `rock.csv` | its number: a line for each row of nodes along x, first those of z = 0 |
//! | `rock.png: 1 - value` | the formula, in which `value` is that of the file |

use std::path::{Path, PathBuf};

use lbm_core::Error;
use lbm_generator::language::Formula;

use crate::geometry::read_picture;
use crate::simulation::NodeValues;

/// What a formula knows.
const NAMES: [&str; 4] = ["x", "y", "z", "value"];

/// Ends of the files that are read.
const ENDS: [&str; 3] = ["raw", "png", "csv"];

/// A field as it is said.
#[derive(Debug)]
struct Said {
    file: Option<PathBuf>,
    formula: Option<Formula>,
}

/// Refuses a text whose formula cannot be read. Files are not looked at.
///
/// # Errors
/// [`Error::OutOfRange`] with the text, and what is wrong with it.
pub(super) fn check(name: &str, text: &str) -> Result<(), Error> {
    said(name, text).map(drop)
}

/// The text with its file, if it names one, in this folder.
pub(super) fn in_folder(text: &str, folder: &Path) -> String {
    match file_of(text) {
        Some(_) => folder.join(text.trim_start()).to_string_lossy().into_owned(),
        None => text.to_owned(),
    }
}

/// The values of a box of this size.
///
/// # Errors
/// As [`check`]; those of reading the file, [`Error::Format`] if it has other nodes than the box.
pub(super) fn values(name: &str, text: &str, size: [usize; 3]) -> Result<NodeValues, Error> {
    let Said { file, formula } = said(name, text)?;
    let numbers = file.map(|path| numbers(&path, size)).transpose()?;
    let [nx, ny, _] = size;
    Ok(Box::new(move |node| {
        let [x, y, z] = node;
        let value = numbers.as_ref().map_or(f64::NAN, |numbers| numbers(x + nx * (y + ny * z)));
        let centre = node.map(|at| at as f64 + 0.5);
        formula.as_ref().map_or(value, |formula| formula.at(&[centre[0], centre[1], centre[2], value]))
    }))
}

fn said(name: &str, text: &str) -> Result<Said, Error> {
    let file = file_of(text).map(|(file, _)| PathBuf::from(file));
    let formula = match file_of(text) {
        Some((_, None)) => return Ok(Said { file, formula: None }),
        Some((_, Some(formula))) => formula,
        None => text,
    };
    let known = if file.is_some() { &NAMES[..] } else { &NAMES[..3] };
    let formula = Formula::read(formula, known).map_err(|error| {
        let allowed = format!("a formula of {}, or a file: *.{}", known.join(", "), ENDS.join(", *."));
        Error::out_of_range(format!("field `{name}`"), text, allowed, error.to_string())
    })?;
    Ok(Said { file, formula: Some(formula) })
}

/// The file that a text names, and the formula behind it. A folder may have a colon in its name.
fn file_of(text: &str) -> Option<(&str, Option<&str>)> {
    let is_file = |file: &str| {
        let end = Path::new(file).extension();
        end.is_some_and(|end| ENDS.iter().any(|known| end.eq_ignore_ascii_case(known)))
    };
    let parts =
        text.match_indices(": ").map(|(at, colon)| (text[..at].trim(), Some(&text[at + colon.len()..])));
    parts.chain([(text.trim(), None)]).find(|(file, _)| is_file(file))
}

/// The number of each node, by its index.
type Numbers = Box<dyn Fn(usize) -> f64 + Send + Sync>;

fn numbers(path: &Path, size: [usize; 3]) -> Result<Numbers, Error> {
    let end = path.extension().unwrap_or_default();
    if end.eq_ignore_ascii_case("png") {
        of_picture(path, size)
    } else if end.eq_ignore_ascii_case("csv") {
        of_lines(path, size)
    } else {
        of_bytes(path, size)
    }
}

fn of_picture(path: &Path, [nx, ny, nz]: [usize; 3]) -> Result<Numbers, Error> {
    let picture = read_picture(path)?;
    let [width, height] = picture.size;
    if [width, height, 1] != [nx, ny, nz] {
        return Err(misfit(path, format!("the picture has {width} x {height} pixels"), [nx, ny, nz]));
    }
    Ok(Box::new(move |node| f64::from(picture.brightness[node % nx + nx * (ny - 1 - node / nx)]) / 255.0))
}

fn of_bytes(path: &Path, size: [usize; 3]) -> Result<Numbers, Error> {
    let failed = |source| Error::file("read", path, source, "give a file that can be read");
    let length = std::fs::metadata(path).map_err(failed)?.len();
    let nodes = size.iter().map(|&n| n as u64).product::<u64>();
    let width = [1, 4, 8].into_iter().find(|width| width * nodes == length);
    let Some(width) = width else {
        return Err(misfit(
            path,
            format!("the file has {length} bytes, and 1, 4 or 8 a node are needed"),
            size,
        ));
    };
    let bytes = std::fs::read(path).map_err(failed)?;
    if bytes.len() as u64 != length {
        return Err(misfit(path, "the file has changed while it was read".to_owned(), size));
    }
    Ok(match width {
        1 => Box::new(move |node| f64::from(bytes[node])),
        4 => Box::new(move |node| f64::from(f32::from_le_bytes(part(&bytes, node)))),
        _ => Box::new(move |node| f64::from_le_bytes(part(&bytes, node))),
    })
}

/// The bytes of a node's number.
fn part<const N: usize>(bytes: &[u8], node: usize) -> [u8; N] {
    std::array::from_fn(|n| bytes[N * node + n])
}

fn of_lines(path: &Path, size: [usize; 3]) -> Result<Numbers, Error> {
    let failed = |source| Error::file("read", path, source, "give a table that can be read");
    let text = std::fs::read_to_string(path).map_err(failed)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let mut values = Vec::new();
    for (n, line) in lines {
        let before = values.len();
        for cell in line.split(',') {
            values.push(cell.trim().parse::<f64>().map_err(|_| {
                misfit(path, format!("`{}` in line {} is no number", cell.trim(), n + 1), size)
            })?);
        }
        if values.len() - before != size[0] {
            let found = values.len() - before;
            return Err(misfit(path, format!("line {} has {found} numbers", n + 1), size));
        }
    }
    let (rows, wanted) = (values.len() / size[0].max(1), size[1] * size[2]);
    if rows != wanted {
        return Err(misfit(
            path,
            format!("the table has {rows} lines of numbers, {wanted} are needed"),
            size,
        ));
    }
    Ok(Box::new(move |node| values[node]))
}

/// A file that does not fit the box.
fn misfit(path: &Path, what: String, [nx, ny, nz]: [usize; 3]) -> Error {
    Error::Format {
        path: path.to_owned(),
        what,
        remedy: format!(
            "the box has {nx} x {ny} x {nz} nodes: give a number for each, row after row along x"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_know_the_place() {
        let values = values("ratio", "1 + select(x < 2, 10 * y, z)", [4, 4, 4]).unwrap();
        assert_eq!((values([1, 2, 3]), values([2, 2, 3])), (26.0, 4.5));
    }

    #[test]
    fn files_have_a_number_for_each_node() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
        write("bytes.raw", &[0, 10, 20, 30, 40, 255]);
        let numbers = [0.0, 0.25, 0.5, -1.5, 1e-3, 7.0];
        write("single.raw", &numbers.iter().flat_map(|x| (*x as f32).to_le_bytes()).collect::<Vec<_>>());
        write("double.raw", &numbers.iter().flat_map(|x: &f64| x.to_le_bytes()).collect::<Vec<_>>());
        write("table.csv", b"0, 0.25, 0.5\n\n-1.5,1e-3, 7\n");
        let mut encoder =
            png::Encoder::new(std::fs::File::create(folder.path().join("grey.PNG")).unwrap(), 3, 2);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.write_header().unwrap().write_image_data(&[51, 102, 153, 0, 204, 255]).unwrap();
        let read = |text: &str, size: [usize; 3]| {
            let values = values("ratio", &in_folder(text, folder.path()), size).unwrap();
            let nodes = (0..6).map(|n| [n % size[0], n / size[0] % size[1], n / size[0] / size[1]]);
            nodes.map(values).collect::<Vec<f64>>()
        };
        assert_eq!(read("bytes.raw", [3, 2, 1]), [0.0, 10.0, 20.0, 30.0, 40.0, 255.0]);
        let rounded = numbers.map(|x| f64::from(x as f32));
        assert_eq!(read("single.raw", [3, 1, 2]), rounded);
        assert_eq!(read("double.raw", [3, 1, 2]), numbers);
        assert_eq!(read("table.csv", [3, 2, 1]), numbers);
        // The picture's last row is y = 0.
        assert_eq!(read("grey.PNG", [3, 2, 1]), [0.0, 0.8, 1.0, 0.2, 0.4, 0.6]);
        assert_eq!(read("bytes.raw: x + value / 10", [3, 2, 1]), [0.5, 2.5, 4.5, 3.5, 5.5, 28.0]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("short.raw"), [0; 5]).unwrap();
        std::fs::write(folder.path().join("wide.csv"), "1,2\n1,2,3\n").unwrap();
        std::fs::write(folder.path().join("few.csv"), "1,2,3\n").unwrap();
        std::fs::write(folder.path().join("word.csv"), "1,2,3\n1,two,3\n").unwrap();
        for (text, says) in [
            ("short.raw", "has 5 bytes"),
            ("wide.csv", "line 1 has 2 numbers"),
            ("few.csv", "1 lines of numbers, 2 are needed"),
            ("word.csv", "`two` in line 2 is no number"),
            ("none.raw", "none.raw"),
            ("x + w", "unknown name `w`"),
            ("x + value", "unknown name `value`"),
            ("few.csv: 2 *", "expected an expression"),
            ("rock.nrrd", "a formula of x, y, z, or a file: *.raw, *.png, *.csv"),
        ] {
            let message =
                values("ratio", &in_folder(text, folder.path()), [3, 2, 1]).err().unwrap().to_string();
            assert!(message.contains(says), "{text}: {message}");
        }
    }
}
