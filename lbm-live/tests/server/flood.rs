//! Junk, as much of it as a server must bear; tests of other crates use it, too, each with a flow of its own.

use tungstenite::{Message, protocol::CloseFrame};

use super::client::Viewer;

/// A generator of numbers, always the same.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

/// Messages of which each must be refused.
fn junk(numbers: &mut Numbers) -> Message {
    let number = numbers.next();
    let circle = |centre: &str, radius: &str, more: &str| {
        format!(
            r#"{{"type":"draw","shape":{{"kind":"circle","centre":{centre},"radius":{radius}{more}}},"solid":true}}"#
        )
    };
    let text = match number % 20 {
        0 => String::new(),
        1 => "{".repeat(1 + number as usize % 500),
        2 => "[".repeat(20_000),
        3 => circle("[1,1]", "1e999", ""),
        4 => circle("[1,NaN]", "1", ""),
        5 => circle("[1,-1e300]", "1", ""),
        6 => circle("[1,1]", "1", r#","colour":1"#),
        7 => circle("[1,1,1]", "1", ""),
        8 => circle("null", "1", ""),
        9 => circle("[1,1]", "0", ""),
        10 => circle("[1,1]", "\"1\"", ""),
        11 => r#"{"type":"undo","now":true}"#.to_owned(),
        12 => r#"{"type":"halt"}"#.to_owned(),
        13 => format!(r#"{{"type":"set","name":"speed","value":{number}}}"#),
        14 => format!(r#"{{"type":"set","name":"{}","value":1}}"#, "a".repeat(70_000)),
        15 => {
            let points = vec!["[1,1]"; 257].join(",");
            format!(
                r#"{{"type":"draw","shape":{{"kind":"brush","points":[{points}],"radius":1}},"solid":true}}"#
            )
        }
        16 => format!(
            r#"{{"type":"draw","shape":{{"kind":"mask","low":[0,0],"width":{},"height":9,"bits":"AAAA"}},"solid":true}}"#,
            number % 100_000
        ),
        17 => {
            format!(r#"{{"type":"view","field":"speed","region":[0,0,1e999,8],"width":{number},"height":8}}"#)
        }
        18 => return Message::binary((0..number % 300).map(|at| at as u8).collect::<Vec<u8>>()),
        _ => {
            // A good message with one letter changed to one that is no JSON.
            let mut text = circle("[1,1]", "1", "").into_bytes();
            let at = number as usize / 20 % text.len();
            text[at] = 1;
            String::from_utf8(text).unwrap()
        }
    };
    Message::text(text)
}

/// Sends ten thousand messages that must all be refused, by viewers that steer, one after another.
///
/// # Panics
/// When the server does not answer as it should.
pub fn flood(port: u16, token: &str) {
    let mut numbers = Numbers(7);
    let (mut sent, mut closed) = (0, 0);
    while sent < 10_000 {
        // Takes over, so that nothing but the messages themselves is refused.
        let mut hostile = Viewer::open(port, token, &[]).unwrap();
        hostile.send(r#"{"type":"steer"}"#);
        hostile.status(|status| status["steering"] == true);
        for _ in 0..250 {
            if sent == 10_000 || hostile.socket.send(junk(&mut numbers)).is_err() {
                break;
            }
            sent += 1;
        }
        loop {
            match hostile.socket.read() {
                Ok(Message::Close(Some(CloseFrame { code, .. }))) => {
                    assert_eq!(u16::from(code), 1008);
                    closed += 1;
                }
                Ok(Message::Text(text)) if text.contains("\"refused\"") && sent == 10_000 => break,
                Ok(_) => {}
                // The rest was on its way when the server closed: what it said may be lost.
                Err(_) => break,
            }
        }
    }
    assert!(closed > 0, "a hundred a second close the socket");
}
