//! Case files: TOML with the key `case` and any setting of that case, or with a flow of its own ([`stated`](super::stated)).
//!
//! ```toml
//! case = "cavity2d"
//! re = 400
//! size = 256
//! collision = "trt"
//!
//! [[probes]]         # what is measured while the flow runs
//! kind = "point"
//! at = [32.5, 32.5, 0.5]
//! ```

mod places;

use std::path::Path;

use lbm_core::Error;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::case::{Case, find};
use super::fault::Fault;
use super::node_field;
use super::probes::parse::probe;
use super::settings::Settings;
use super::stated;
use crate::variants;

pub use places::located;

/// The case and the settings that a file says.
///
/// # Errors
/// [`Error::File`] if it cannot be read; [`Error::Format`] with line and column for text that is not TOML, an unknown
/// case or key, or a value that is not allowed.
pub fn read(path: &Path) -> Result<(&'static Case, Settings), Error> {
    let bytes = std::fs::read(path).map_err(|source| {
        Error::file("read", path, source, "give the path of a case file (TOML with the key `case`)")
    })?;
    let text = String::from_utf8_lossy(&bytes);
    let valid = std::str::from_utf8(&bytes).map_err(|error| {
        let at = error.valid_up_to();
        let remedy = "a case file is text in UTF-8: save it as such, or give another file";
        Fault::new(Some(at), format!("byte {:#04x} is no UTF-8", bytes[at]), remedy)
    });
    let folder = path.parent().unwrap_or(Path::new(""));
    valid.and_then(|text| parse(text, folder)).map_err(|fault| fault.in_file(path, &text))
}

fn parse(text: &str, folder: &Path) -> Result<(&'static Case, Settings), Fault> {
    let table = DeTable::parse(text).map_err(|error| {
        let remedy = "a case file is TOML: one `key = value` a line, names in quotes";
        Fault::new(error.span().map(|span| span.start), error.message().trim().replace('\n', ", "), remedy)
    })?;
    let table = table.get_ref();
    let has = |name: &str| table.iter().find(|(key, _)| key.get_ref() == name);
    let Some((_, name)) = has("case") else {
        if has("lattice").is_some() {
            return stated::parse(table, folder);
        }
        let remedy =
            "write, for example, case = \"cavity2d\", or state a flow, which begins with lattice = \"D2Q9\"";
        return Err(Fault::new(None, "the key `case` is missing", remedy));
    };
    let case = find(&plain(name)?).map_err(|error| Fault::at(name.span().start, &error))?;
    let mut settings = Settings::of(case);
    for (key, value) in table.iter().filter(|(key, _)| key.get_ref() != "case") {
        set(&mut settings, key, value, folder)?;
    }
    Ok((case, settings))
}

/// Sets the setting that a key names; a file of a field's values is relative to `folder`.
pub(super) fn set(
    settings: &mut Settings,
    key: &Spanned<DeString<'_>>,
    value: &Spanned<DeValue<'_>>,
    folder: &Path,
) -> Result<(), Fault> {
    if let ("probes", DeValue::Array(tables)) = (key.get_ref().as_ref(), value.get_ref()) {
        return tables.iter().try_for_each(|table| add_probe(settings, table));
    }
    let mut text = plain(value)?;
    if variants::fields().contains(&key.get_ref().as_ref()) {
        text = node_field::in_folder(&text, folder);
    }
    settings.set(key.get_ref(), &text).map_err(|error| {
        let at = if matches!(error, Error::Unknown { .. }) { key.span() } else { value.span() };
        Fault::at(at.start, &error)
    })
}

/// Adds the probe that a table `[[probes]]` says; lists of numbers are what `--set` takes with commas.
fn add_probe(settings: &mut Settings, table: &Spanned<DeValue<'_>>) -> Result<(), Fault> {
    let at = table.span().start;
    let DeValue::Table(entries) = table.get_ref() else {
        return Err(Fault::new(
            Some(at),
            "a probe is a table",
            "write [[probes]] and below it kind = \"point\"",
        ));
    };
    let mut texts: Vec<Entry<'_>> = Vec::new();
    for (key, value) in entries.iter() {
        let text = match value.get_ref() {
            DeValue::Array(list) => list.iter().map(plain).collect::<Result<Vec<_>, Fault>>()?.join(","),
            _ => plain(value)?,
        };
        texts.push((key.get_ref(), text, [key.span().start, value.span().start]));
    }
    let entries: Vec<(&str, &str)> = texts.iter().map(|(key, text, _)| (*key, text.as_str())).collect();
    let added = probe(&entries).and_then(|probe| settings.add_probe(probe));
    added.map_err(|error| Fault::at(entry_of(&error, &texts).unwrap_or(at), &error))
}

/// A key with its text, and where both begin.
type Entry<'a> = (&'a str, String, [usize; 2]);

/// Where the entry is of which an error has the key, or the text or a part of it.
fn entry_of(error: &Error, entries: &[Entry<'_>]) -> Option<usize> {
    let wrong = match error {
        Error::Unknown { name, .. } => name,
        Error::OutOfRange { value, .. } => value,
        _ => return None,
    };
    let key = entries.iter().find(|(key, ..)| key == wrong).map(|(.., [at, _])| *at);
    let text =
        |has: &dyn Fn(&str) -> bool| entries.iter().find(|(_, text, _)| has(text)).map(|(.., [_, at])| *at);
    key.or_else(|| text(&|text| text == wrong)).or_else(|| text(&|text| text.contains(wrong.as_str())))
}

/// The text of a number, string or boolean, as `--set` would take it.
fn plain(value: &Spanned<DeValue<'_>>) -> Result<String, Fault> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Ok(number.as_str().to_owned()),
        DeValue::Float(number) => Ok(number.as_str().to_owned()),
        DeValue::Boolean(value) => Ok(value.to_string()),
        _ => {
            let what = "this value is neither a decimal number nor a name in quotes";
            Err(Fault::new(Some(value.span().start), what, "write e.g. re = 400 or precision = \"f32\""))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: impl AsRef<[u8]>) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("case.toml");
        std::fs::write(&path, text).unwrap();
        read(&path).map(|_| ()).expect_err("must be refused").to_string()
    }

    #[test]
    fn what_is_found_when_a_flow_is_built_is_said_at_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("case.toml");
        let text = "case = \"cavity2d\"\n[[probes]]\nkind = \"force\"\nbody = \"rod\"\n";
        std::fs::write(&path, text).unwrap();
        let said = |error: Error| located(error, &path).to_string();
        let of = |name: &str| Error::unknown("body", name, ["west"], "name one of them");
        let known = said(of("rod"));
        assert!(known.contains("case.toml: line 4, column 8: unknown body `rod`"), "{known}");
        assert!(known.ends_with("name one of them"), "{known}");
        // Nothing of the file, though what is meant may stand there.
        let other = Error::unknown("body", "rodd", ["rod"], "name one of them");
        assert_eq!(said(other), "unknown body `rodd`, did you mean `rod`?; name one of them");
        let key = said(Error::conflict("`kind` is there", "take it away"));
        assert!(key.contains("line 3, column 1: `kind`"), "{key}");
        let machine = Error::Unavailable { what: "no `rod`".to_owned(), remedy: "buy one".to_owned() };
        assert_eq!(said(machine), "no `rod`; buy one");
    }

    #[test]
    fn probes_are_tables() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("case.toml");
        let text = "case = \"cavity2d\"\n[[probes]]\nkind = \"point\"\nname = \"middle\"\nat = [32.5, 32.5, 0.5]\n\
                    [[probes]]\nkind = \"pressure\"\nsection = \"x:10\"\n";
        std::fs::write(&path, text).unwrap();
        let (_, settings) = read(&path).unwrap();
        let names: Vec<&str> = settings.probes().iter().map(|probe| probe.name.as_str()).collect();
        assert_eq!(names, ["middle", "pressure"]);
        let wrong = message("case = \"cavity2d\"\n[[probes]]\nkind = \"pint\"\n");
        assert!(
            wrong.contains("line 3, column 8") && wrong.contains("pint") && wrong.contains("point"),
            "{wrong}"
        );
        let at =
            |rest: &str| message(format!("case = \"cavity2d\"\n[[probes]]\nkind = \"pressure\"\n{rest}"));
        let plane = at("section = \"x:-1\"\n");
        assert!(plane.contains("line 4, column 11: place of a plane = -1"), "{plane}");
        let key = at("sections = \"x:1\"\nsection = \"x:1\"\n");
        assert!(key.contains("line 4, column 1: unknown entry of a probe `sections`"), "{key}");
    }

    #[test]
    fn a_file_sets_what_set_can() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("case.toml");
        let text =
            "# a comment\ncase = \"cavity2d\"\nre = 400\nsize = 1_28\nprecision = 'f32'\ntolerance = 1e-4\n";
        std::fs::write(&path, text).unwrap();
        let (case, settings) = read(&path).unwrap();
        assert_eq!(case.name, "cavity2d");
        assert_eq!(
            (settings.real("re"), settings.size(), settings.name("precision"), settings.real("tolerance")),
            (400.0, 128, "f32", 1e-4)
        );
    }

    #[test]
    fn faults_have_line_and_column() {
        let cases = [
            ("case = \"cavity2d\"\nre = = 3\n", vec!["line 2, column"]),
            ("case = \"cavity2d\"\n\n  ree = 3\n", vec!["line 3, column 3", "`ree`", "did you mean `re`?"]),
            ("case = \"cavity2d\"\nprecision = \"f16\"", vec!["line 2, column 13", "one of f32, f64"]),
            ("case = \"cavty2d\"", vec!["line 1, column 8", "did you mean `cavity2d`?"]),
            ("re = 3", vec!["`case` is missing"]),
            ("case = \"cavity2d\"\nre = [1, 2]", vec!["line 2, column 6", "neither"]),
            ("case = \"cavity2d\"\nre = 1\nre = 2", vec!["line 3", "duplicate"]),
            ("case = \"cavity2d\"\nre = \"é", vec!["line 2"]),
        ];
        for (text, parts) in cases {
            let message = message(text);
            for part in parts {
                assert!(message.contains(part), "`{part}` is not in: {message}");
            }
        }
        let message = message(b"case = \"cavity2d\"\nre = \xff");
        assert!(message.contains("line 2, column 6: byte 0xff"), "{message}");
        let missing = read(Path::new("no/such/file.toml")).map(|_| ()).unwrap_err();
        assert!(matches!(missing, Error::File { .. }));
    }
}
