//! A flow with what was drawn into it, as bytes: a line of JSON, and behind it a checkpoint of the flow.

use std::path::Path;

use lbm_core::Error;
use lbm_live::Refusal;
use serde::{Deserialize, Serialize};

use super::flow::{LiveFlow, refusal};
use super::sliders::VISCOSITY;
use crate::simulation::Redrawn;

/// The longest line, bytes.
const LONGEST: usize = 64 << 20;

/// What stands in the line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    /// The case.
    live: String,
    size: [usize; 3],
    viscosity: Option<f64>,
    /// Nodes that are something else than when the flow was built: the first one, how many, and the number of their solid.
    drawn: Vec<(usize, usize, Option<usize>)>,
}

/// The bytes of a flow.
pub(super) fn save(flow: &mut LiveFlow) -> Result<Vec<u8>, Error> {
    let domain = flow.simulation.domain();
    let mut drawn: Vec<(usize, usize, Option<usize>)> = Vec::new();
    for (node, [_, now]) in flow.changed() {
        match drawn.last_mut() {
            Some((first, count, solid)) if *first + *count == node && *solid == now => *count += 1,
            _ => drawn.push((node, 1, now)),
        }
    }
    let (live, size, viscosity) = (flow.name().to_owned(), domain.size, flow.simulation.parameter(VISCOSITY));
    let header = Header { live, size, viscosity, drawn };
    let file = Temporary::new()?;
    flow.simulation.checkpoint(file.0.path())?;
    let mut bytes = serde_json::to_vec(&header).expect("numbers and text are JSON");
    if bytes.len() > LONGEST {
        return Err(Error::conflict("more is drawn than a saved flow holds", "erase what is strewn about"));
    }
    bytes.push(b'\n');
    bytes.extend(file.read()?);
    Ok(bytes)
}

/// Goes on from such bytes. On an error the flow is as before.
pub(super) fn load(flow: &mut LiveFlow, bytes: &[u8]) -> Result<(), Refusal> {
    let wrong = |what: String| {
        Refusal::new(format!("{what}: load a file that this page saved, of the same case and size"))
    };
    let end = bytes.iter().take(LONGEST).position(|&byte| byte == b'\n');
    let end = end.ok_or_else(|| wrong("this is no saved flow".to_owned()))?;
    let header: Header = serde_json::from_slice(&bytes[..end])
        .map_err(|error| wrong(format!("this is no saved flow ({error})")))?;
    let size = flow.simulation.size();
    if header.live != flow.name() || header.size != size {
        return Err(wrong(format!(
            "this is a flow of {} with {:?} nodes, not of {} with {size:?}",
            header.live,
            header.size,
            flow.name()
        )));
    }
    let (mut nodes, mut solids, all) = (Vec::new(), Vec::new(), size.iter().product::<usize>());
    for (first, count, solid) in header.drawn {
        if first < nodes.last().map_or(0, |last| last + 1) || count > all || first > all - count {
            return Err(wrong(format!(
                "the {count} nodes from number {first} on are not {all} nodes in order"
            )));
        }
        nodes.extend(first..first + count);
        solids.resize(nodes.len(), solid);
    }
    let mut anew = flow.anew().map_err(refusal)?;
    let file = Temporary::new().map_err(refusal)?;
    file.write(&bytes[end + 1..]).map_err(refusal)?;
    let redrawn = Redrawn::new(nodes, solids);
    anew.undo(&redrawn).map_err(refusal)?;
    if let Some(viscosity) = header.viscosity {
        anew.set_viscosity(viscosity).map_err(refusal)?;
    }
    anew.restart(file.0.path()).map_err(refusal)?;
    flow.go_on_with(anew);
    flow.count_drawn();
    Ok(())
}

/// A file of its own that goes with the value.
struct Temporary(tempfile::NamedTempFile);

impl Temporary {
    fn new() -> Result<Temporary, Error> {
        let failed = |source| failed("create a file in", &std::env::temp_dir(), source);
        tempfile::NamedTempFile::new().map(Temporary).map_err(failed)
    }

    fn read(&self) -> Result<Vec<u8>, Error> {
        std::fs::read(self.0.path()).map_err(|source| failed("read", self.0.path(), source))
    }

    fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        std::fs::write(self.0.path(), bytes).map_err(|source| failed("write", self.0.path(), source))
    }
}

fn failed(doing: &'static str, path: &Path, source: std::io::Error) -> Error {
    Error::file(
        doing,
        path,
        source,
        "make room in the folder for temporary files, or name another one in TMPDIR",
    )
}
