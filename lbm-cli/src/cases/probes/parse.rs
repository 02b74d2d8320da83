//! Probes from text: entries `key = value` of a case file, or a list on the command line.

use std::fmt::Display;
use std::ops::Range;
use std::str::FromStr;

use lbm_core::{Error, Face};

use super::{Across, Kind, Point, Probe, Spot};
use crate::cases::pushed::{AXES, Pushed};
use crate::simulation::Body;

/// Keys with their values, as text.
pub type Entries<'a> = [(&'a str, &'a str)];

/// The kinds, each with the keys that it takes beside `name`.
const KINDS: [(&str, &[&str]); 7] = [
    ("flow-rate", &["section"]),
    ("pressure", &["section"]),
    ("pressure-drop", &["from", "to"]),
    ("point", &["at"]),
    ("line", &["from", "to", "points"]),
    ("force", &["body", "about", "speed", "area", "along", "lift"]),
    ("permeability", &["axis", "from", "to"]),
];

/// The probe that these entries say, one of which is `kind`; `name` may be left out. The table of [`probes`](super) has all others.
///
/// # Errors
/// [`Error::Missing`] for an entry that is needed, [`Error::Unknown`] for a kind or key that there is not, [`Error::OutOfRange`] for a value.
pub fn probe(entries: &Entries<'_>) -> Result<Probe, Error> {
    let given = Given { entries };
    let kind = given.required("kind", "one of flow-rate, pressure, point, ..")?;
    let (kind, keys) = KINDS.into_iter().find(|(known, _)| *known == kind).ok_or_else(|| {
        let names = KINDS.map(|(name, _)| name);
        Error::unknown("kind of a probe", kind, names, format!("the kinds are: {}", names.join(", ")))
    })?;
    for (number, (key, _)) in entries.iter().enumerate() {
        if !keys.contains(key) && !["kind", "name"].contains(key) {
            let remedy = format!("a probe `{kind}` has: name, {}", keys.join(", "));
            return Err(Error::unknown("entry of a probe", key, keys.iter().copied(), remedy));
        }
        if entries[..number].iter().any(|(other, _)| other == key) {
            return Err(Error::conflict(format!("a probe has `{key}` twice"), "keep one of them"));
        }
    }
    let name = given.get("name").unwrap_or(kind).to_owned();
    let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || !name.chars().all(plain) {
        let allowed = "letters, digits, `-` and `_`";
        return Err(Error::out_of_range("name of a probe", name, allowed, "it names columns and files"));
    }
    let kind = given.kind(kind)?;
    if let Kind::Line { .. } = kind
        && WRITTEN
            .iter()
            .any(|own| own.eq_ignore_ascii_case(name.strip_suffix("_reference").unwrap_or(&name)))
    {
        let what = format!("a line is named `{name}`, and runs write a `{name}.csv` of their own");
        return Err(Error::conflict(what, format!("give it another name, such as `{name}_line`")));
    }
    Ok(Probe { name, kind })
}

/// The tables `NAME.csv` that runs write beside those of lines: of probes, of what is controlled, and of what cases measure.
pub(in crate::cases) const WRITTEN: &[&str] = &[
    "bubble",
    "circularity",
    "controller",
    "convergence",
    "count",
    "deformation",
    "drag",
    "drops",
    "film",
    "film_thickness",
    "flow_rates",
    "forces",
    "growth",
    "height",
    "length",
    "lift",
    "liquid",
    "mass_flow",
    "nusselt",
    "nusselt_number",
    "probes",
    "rise",
    "section_velocity",
    "shape",
    "speed",
    "spike",
    "tips",
    "u_at_step",
    "u_behind_step",
    "u_centre",
    "u_diagonal",
    "u_middle",
    "v_centre",
    "vapour",
];

/// Probes as a list on the command line: `flow-rate section=x:10; point name=wake at=30.5,20.0`.
///
/// # Errors
/// As [`probe`], and [`Error::Conflict`] for a word that is no entry.
pub fn list(text: &str) -> Result<Vec<Probe>, Error> {
    let mut probes: Vec<Probe> = Vec::new();
    for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let mut words = part.split_whitespace();
        let mut entries = vec![("kind", words.next().unwrap_or_default())];
        for word in words {
            entries.push(word.split_once('=').ok_or_else(|| {
                let remedy = "write KIND key=value .., e.g. flow-rate section=x:10";
                Error::conflict(format!("`{word}` is no entry of a probe"), remedy)
            })?);
        }
        probes.push(probe(&entries)?);
    }
    Ok(probes)
}

struct Given<'a> {
    entries: &'a Entries<'a>,
}

impl Given<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.entries.iter().find(|(known, _)| *known == key).map(|&(_, value)| value)
    }

    fn required(&self, key: &str, example: &str) -> Result<&str, Error> {
        self.get(key).ok_or_else(|| Error::Missing {
            what: format!("`{key}` of a probe"),
            remedy: format!("give it: {example}"),
        })
    }

    fn kind(&self, kind: &str) -> Result<Kind, Error> {
        Ok(match kind {
            "flow-rate" => Kind::FlowRate(across(self.required("section", "west, or x:10")?)?),
            "pressure" => Kind::Pressure(across(self.required("section", "west, or x:10")?)?),
            "pressure-drop" => Kind::PressureDrop([self.spot("from")?, self.spot("to")?]),
            "point" => Kind::Point(point("at", self.required("at", "3.5,4.0,0.5")?)?),
            "line" => {
                let end = |key: &str| point(key, self.required(key, "3.5,4.0,0.5")?);
                let points = self.get("points").map_or(Ok(100), |text| number("points of a line", text))?;
                Kind::Line { ends: [end("from")?, end("to")?], points }
            }
            "force" => self.force()?,
            _ => {
                let sections = [self.get("from"), self.get("to")].map(|text| text.map(across).transpose());
                let [from, to] = sections;
                let between = match (from?, to?) {
                    (Some(from), Some(to)) => Some([from, to]),
                    (None, None) => None,
                    _ => {
                        let what = "a permeability has one of `from` and `to`";
                        return Err(Error::conflict(
                            what,
                            "give both sections, or none where a force drives",
                        ));
                    }
                };
                Kind::Permeability { axis: axis(self.get("axis").unwrap_or("x"))?, between }
            }
        })
    }

    fn spot(&self, key: &str) -> Result<Spot, Error> {
        let text = self.required(key, "west, x:10, or the point 3.5,4.0,0.5")?;
        let numbers = text.split(',').all(|part| part.trim().parse::<f64>().is_ok());
        match text.contains(',') && numbers {
            true => point(key, text).map(Spot::Point),
            false => across(text).map(Spot::Section),
        }
    }

    fn force(&self) -> Result<Kind, Error> {
        let positive = |key: &str| {
            let Some(text) = self.get(key) else { return Ok(None) };
            let value: f64 = number(key, text)?;
            if value.is_finite() && value > 0.0 {
                return Ok(Some(value));
            }
            Err(Error::out_of_range(
                format!("{key} of a force"),
                value,
                "finite and above 0",
                "it scales coefficients",
            ))
        };
        let along = |key: &str| self.get(key).map(axis).transpose();
        let pushed = Pushed {
            body: body(self.required("body", "a name, a face, solid:0 or surface:0")?)?,
            // That of the table counts.
            interval: 1,
            about: [0.0; 3],
            speed: positive("speed")?.unwrap_or(1.0),
            axes: Pushed::axes(along("along")?, along("lift")?)?,
            area: positive("area")?,
            unit: 1.0,
        };
        let about = self.get("about").map(|text| point("about", text)).transpose()?;
        Ok(Kind::Force { pushed, about })
    }
}

/// A number, or the error that names it.
fn number<T: FromStr>(what: impl Display, text: &str) -> Result<T, Error> {
    text.trim().parse().map_err(|_| {
        Error::out_of_range(
            what.to_string(),
            text,
            "a number of its kind",
            "write it in digits, e.g. 10 or 3.5",
        )
    })
}

/// A point: two or three numbers.
fn point(key: &str, text: &str) -> Result<Point, Error> {
    let numbers = text.split(',').map(|part| number(format_args!("{key} of a probe"), part));
    match numbers.collect::<Result<Vec<f64>, Error>>()? {
        numbers if (2..=3).contains(&numbers.len()) => Ok(Point(numbers)),
        _ => Err(Error::out_of_range(
            format!("{key} of a probe"),
            text,
            "two or three numbers, x,y,z",
            "write a point as 3.5,4.0,0.5; the centre of node i is at i + 1/2",
        )),
    }
}

fn axis(text: &str) -> Result<usize, Error> {
    AXES.iter().position(|known| *known == text.trim()).ok_or_else(|| {
        Error::out_of_range("axis of a probe", text, "x, y or z", "name the axis that the flow goes along")
    })
}

/// A section: `west`, `x:10`, `x:10,y:2:9`, or else the name of a patch, which none of these may be.
fn across(text: &str) -> Result<Across, Error> {
    if let Some(face) = face(text) {
        return Ok(Across::Face(face));
    }
    let plane = text.split_once(':').is_some_and(|(along, _)| AXES.contains(&along.trim()));
    if !text.trim().is_empty() && !plane {
        return Ok(Across::Patch(text.to_owned()));
    }
    let refused = || {
        let allowed = "a face, west, east, south, north, bottom or top, the name of a patch, or a plane, x:10 or x:10,y:2:9";
        Error::out_of_range("section of a probe", text, allowed, "planes are counted in nodes from 0")
    };
    let mut parts = text.split(',').map(|part| part.split(':').collect::<Vec<_>>());
    let Some([along, at]) = parts.next().as_deref().and_then(|first| <[&str; 2]>::try_from(first).ok())
    else {
        return Err(refused());
    };
    let mut within: [Option<Range<usize>>; 3] = Default::default();
    for part in parts {
        let &[along, from, to] = &part[..] else { return Err(refused()) };
        let node = |text: &str| number("node of a section", text);
        within[axis(along)?] = Some(node(from)?..node(to)?);
    }
    Ok(Across::Plane { axis: axis(along)?, at: number("place of a plane", at)?, within })
}

fn face(text: &str) -> Option<Face> {
    Face::ALL.into_iter().find(|face| format!("{face:?}").eq_ignore_ascii_case(text.trim()))
}

/// A body: a face, `geometry`, `solid:0`, `surface:0`, or else a name.
fn body(text: &str) -> Result<Body, Error> {
    if let Some(face) = face(text) {
        return Ok(Body::Face(face));
    }
    Ok(match text.split_once(':') {
        Some(("solid", place)) => Body::Solid(number("number of a solid", place)?),
        Some(("surface", place)) => Body::Surface(number("number of a surface", place)?),
        _ if text == "geometry" => Body::Geometry,
        _ => Body::from(text),
    })
}
