//! What a viewer sends.

use serde::Deserialize;

use super::{Event, Shape, View};
use crate::flow::Refusal;

/// Bytes of the longest message but a mask.
const LONGEST: usize = 64 << 10;
/// Bytes of the longest message with a mask.
pub(crate) const LONGEST_MASK: usize = 1 << 20;
/// Letters of an error that are sent back.
const LONGEST_ERROR: usize = 300;

/// A message of a viewer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Message {
    Draw { shape: Shape, solid: bool },
    Undo {},
    Set { name: String, value: f64 },
    Pause { paused: bool },
    Step {},
    Reset {},
    View(View),
    Steer {},
}

/// What a viewer's message asks of the flow.
pub(crate) enum Wish {
    Event(Event),
    Pause(bool),
    Step,
    View(View),
    Steer,
}

impl Message {
    /// Reads a text. Numbers are checked later, against the flow.
    pub(crate) fn read(text: &str) -> Result<Message, Refusal> {
        let message: Message = serde_json::from_str(text).map_err(|error| {
            let error: String = error.to_string().chars().take(LONGEST_ERROR).collect();
            Refusal::new(format!("the message is not understood: {error}"))
        })?;
        let mask = matches!(&message, Message::Draw { shape: Shape::Mask { .. }, .. });
        let longest = if mask { LONGEST_MASK } else { LONGEST };
        if text.len() > longest {
            return Err(Refusal::new(format!(
                "the message has {} bytes: send at most {longest}, with fewer points or a smaller mask",
                text.len()
            )));
        }
        Ok(message)
    }

    /// What is asked by somebody who looks at this slice.
    pub(crate) fn wish(self, axis: u8, slice: u32) -> Wish {
        match self {
            Message::Draw { shape, solid } => Wish::Event(Event::Draw { shape, solid, axis, slice }),
            Message::Undo {} => Wish::Event(Event::Undo {}),
            Message::Set { name, value } => Wish::Event(Event::Set { name, value }),
            Message::Reset {} => Wish::Event(Event::Reset {}),
            Message::Pause { paused } => Wish::Pause(paused),
            Message::Step {} => Wish::Step,
            Message::View(view) => Wish::View(view),
            Message::Steer {} => Wish::Steer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read() {
        let read = |text: &str| Message::read(text).unwrap();
        assert_eq!(read(r#"{"type":"undo"}"#), Message::Undo {});
        assert_eq!(read(r#"{"paused":true,"type":"pause"}"#), Message::Pause { paused: true });
        let circle = Shape::Circle { centre: [1.0, 2.5], radius: 3.0 };
        assert_eq!(
            read(r#"{"type":"draw","shape":{"kind":"circle","centre":[1,2.5],"radius":3},"solid":true}"#),
            Message::Draw { shape: circle, solid: true }
        );
        let Message::View(view) =
            read(r#"{"type":"view","field":"speed","region":[0,0,8,4],"width":8,"height":4}"#)
        else {
            panic!("a view")
        };
        assert_eq!((view.axis, view.slice, view.range, view.particles), (2, None, None, false));
    }

    #[test]
    fn junk_is_refused() {
        for junk in [
            "",
            "{",
            "null",
            "[]",
            r#"{"type":"undo","more":1}"#,
            r#"{"type":"undo","type":"undo"}"#,
            r#"{"type":"unknown"}"#,
            r#"{"type":"pause"}"#,
            r#"{"type":"pause","paused":1}"#,
            r#"{"type":"set","name":"speed","value":NaN}"#,
            r#"{"type":"set","name":"speed","value":1e999}"#,
            r#"{"type":"set","name":"speed","value":null}"#,
            r#"{"type":"draw","solid":true,"shape":{"kind":"circle","centre":[1],"radius":1}}"#,
            r#"{"type":"draw","solid":true,"shape":{"kind":"circle","centre":[1,2,3],"radius":1}}"#,
            r#"{"type":"draw","solid":true,"shape":{"kind":"circle","centre":[1,2],"radius":1,"z":1}}"#,
            r#"{"type":"draw","solid":true,"shape":{"kind":"mask","low":[0,0],"width":8,"height":1,"bits":"?"}}"#,
            r#"{"type":"view","field":"speed","region":[0,0,8,4],"width":70000,"height":4}"#,
            r#"{"type":"view","field":"speed","region":[0,0,8,4],"width":-1,"height":4}"#,
            r#"{"type":"view","field":"speed","region":[0,0,8,4],"width":8,"height":4,"more":0}"#,
        ] {
            assert!(Message::read(junk).is_err(), "{junk}");
        }
        let deep = "[".repeat(100_000);
        assert!(Message::read(&deep).is_err());
        let long = format!(r#"{{"type":"set","name":"{}","value":1}}"#, "a".repeat(LONGEST));
        let error = Message::read(&long).unwrap_err().to_string();
        assert!(error.contains("send at most 65536"), "{error}");
    }
}
