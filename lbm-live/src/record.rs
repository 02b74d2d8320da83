//! Recorded events: a line of JSON each, with the steps that were done before it; and the same calls again without a server.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::flow::Flow;
use crate::protocol::Event;

/// An event, and how many steps were done before it since the recording began.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// Steps that were run before it, those before a reset among them.
    pub step: u64,
    /// What happened.
    pub what: What,
}

/// What happened between two steps.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// An event was applied.
    Event(Event),
    /// A checkpoint was loaded; the file lies beside the recording.
    Load(PathBuf),
}

/// A line of the file: `{"step":N,"event":{..}}` or `{"step":N,"load":"FILE"}`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    step: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<Event>,
    #[serde(skip_serializing_if = "Option::is_none")]
    load: Option<String>,
}

/// Reads a file of recorded events.
///
/// # Errors
/// When it cannot be read; with the number of a line that is none or that comes too early.
pub fn read_events(path: impl AsRef<Path>) -> Result<Vec<Recorded>, Error> {
    let path = path.as_ref();
    let error = |message: String| Error::Record { path: path.to_owned(), message };
    let file = File::open(path).map_err(|source| error(format!("cannot be read: {source}")))?;
    let mut events: Vec<Recorded> = Vec::new();
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let line = line.map_err(|source| error(format!("line {number} cannot be read: {source}")))?;
        let wrong = |what: String| error(format!("line {number}: {what}; give a file as it was recorded"));
        let line: Line = serde_json::from_str(&line).map_err(|source| wrong(source.to_string()))?;
        let last = events.last().map_or(0, |last| last.step);
        if line.step < last {
            return Err(wrong(format!("step {} comes after step {last}", line.step)));
        }
        let what = match (line.event, line.load) {
            (Some(event), None) => What::Event(event),
            (None, Some(name)) if Path::new(&name).file_name().is_some_and(|file| file == name.as_str()) => {
                What::Load(path.with_file_name(name))
            }
            (None, Some(name)) => return Err(wrong(format!("{name:?} is no plain name of a file"))),
            _ => return Err(wrong("it has not one of `event` and `load`".to_owned())),
        };
        events.push(Recorded { step: line.step, what });
    }
    Ok(events)
}

/// Runs `steps` steps of a flow without a server, with recorded events in the steps where they were: the same calls, so the same bits.
///
/// # Errors
/// When an event cannot be applied or the flow stops by itself where it had not.
pub fn replay<F: Flow + ?Sized>(flow: &mut F, events: &[Recorded], steps: u64) -> Result<(), Error> {
    let about = flow.about();
    let mut done = 0;
    for Recorded { step, what } in events.iter().filter(|event| event.step <= steps) {
        let restarts = matches!(what, What::Load(_) | What::Event(Event::Reset {}));
        match advance(flow, step.saturating_sub(done)) {
            // A flow that stopped by itself was set up again in this step.
            Err(_) if restarts => {}
            result => result?,
        }
        done = *step;
        let applied = match what {
            What::Event(event) => event.check(&about).and_then(|()| flow.apply(event)).map(drop),
            What::Load(path) => {
                let error =
                    |source: io::Error| Error::Record { path: path.clone(), message: source.to_string() };
                flow.load(&fs::read(path).map_err(error)?)
            }
        };
        applied.map_err(|refusal| {
            crate::Fault::new(format!(
                "the event of step {step} was not applied: {refusal}; replay it on the flow that it was recorded with"
            ))
        })?;
    }
    Ok(advance(flow, steps - done)?)
}

fn advance<F: Flow + ?Sized>(flow: &mut F, steps: u64) -> Result<(), crate::Fault> {
    if steps == 0 { Ok(()) } else { flow.run(steps) }
}

/// Writes events as they are applied.
pub(crate) struct Recorder {
    path: PathBuf,
    file: File,
    loads: u32,
}

impl Recorder {
    /// Starts a file that is not there yet.
    pub(crate) fn create(path: &Path) -> Result<Recorder, Error> {
        let file = File::create_new(path).map_err(|source| Error::Record {
            path: path.to_owned(),
            message: format!("cannot be started: {source}; give a new name in a folder that can be written"),
        })?;
        Ok(Recorder { path: path.to_owned(), file, loads: 0 })
    }

    /// Adds an event that was applied.
    pub(crate) fn event(&mut self, step: u64, event: &Event) -> Result<(), Error> {
        self.line(&Line { step, event: Some(event.clone()), load: None })
    }

    /// Adds a checkpoint that was loaded, with its bytes in a file beside.
    pub(crate) fn load(&mut self, step: u64, checkpoint: &[u8]) -> Result<(), Error> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{name}.{}.checkpoint", self.loads);
        self.loads += 1;
        let path = self.path.with_file_name(&name);
        let written = File::create_new(&path).and_then(|mut file| file.write_all(checkpoint));
        written.map_err(|source| self.failed(&source))?;
        self.line(&Line { step, event: None, load: Some(name) })
    }

    fn line(&mut self, line: &Line) -> Result<(), Error> {
        let mut text = serde_json::to_vec(line).map_err(|source| self.failed(&source.into()))?;
        text.push(b'\n');
        // One write, so that an end at any time leaves whole lines.
        self.file.write_all(&text).map_err(|source| self.failed(&source))
    }

    fn failed(&self, source: &io::Error) -> Error {
        let message = format!("the recording ends here: {source}; make room and record again");
        Error::Record { path: self.path.clone(), message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_to_the_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events.jsonl");
        let mut recorder = Recorder::create(&path).unwrap();
        let mut bits = 1_u64;
        let values: Vec<f64> = (0..4000)
            .map(|_| {
                bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // All bits of the fraction, of 0.001 to 1000 in size.
                f64::from_bits(bits >> 12 | 0x3ff0 << 48) * 10_f64.powi((bits % 7) as i32 - 3)
            })
            .collect();
        for value in &values {
            recorder.event(0, &Event::Set { name: "speed".to_owned(), value: *value }).unwrap();
        }
        for (value, event) in values.iter().zip(read_events(&path).unwrap()) {
            let What::Event(Event::Set { value: read, .. }) = event.what else { panic!("{event:?}") };
            assert_eq!(read.to_bits(), value.to_bits(), "{value}");
        }
    }
}
