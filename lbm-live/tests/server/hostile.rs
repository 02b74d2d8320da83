//! Junk leaves the flow's bits as they are, and its steps going on.

use std::io::Write;
use std::net::TcpStream;

use lbm_live::{Flow, Live};
use tungstenite::{Message, protocol::CloseFrame};

use crate::client::Running;
use crate::toy::Toy;

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

#[test]
fn ten_thousand_junk_messages_leave_the_bits_as_they_are() {
    let running = Running::start(Live::new(Toy::new(32, 16)));
    let mut witness = running.viewer();
    witness.status(|status| status["steering"] == true);
    let mut numbers = Numbers(7);
    let (mut sent, mut closed) = (0, 0);
    while sent < 10_000 {
        // Takes over, so that nothing but the messages themselves is refused.
        let mut hostile = running.viewer();
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
    let before = witness.status(|status| status["viewers"] == 1)["step"].as_u64();
    witness.status(|status| status["step"].as_u64() > before);
    let ended = running.end();
    let mut plain = Toy::new(32, 16);
    plain.run(ended.steps).unwrap();
    assert_eq!(ended.flow.bits(), plain.bits());
}

#[test]
fn junk_is_answered_with_a_reason() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    let mut viewer = running.viewer();
    viewer.send("{");
    assert!(viewer.refused().starts_with("the message is not understood: EOF"));
    viewer.send(r#"{"type":"draw","shape":{"kind":"circle","centre":[1e7,0],"radius":1},"solid":true}"#);
    assert_eq!(viewer.refused(), "centre = 10000000 is out of range: give -1000000 to 1000000");
    running.end();
}

#[test]
fn messages_beyond_the_bound_close_the_socket() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    let mut viewer = running.viewer();
    let mut witness = running.viewer();
    // It may break while it is sent.
    let _ = viewer.socket.send(Message::text("a".repeat(3 << 20)));
    while viewer.socket.read().is_ok() {}
    witness.status(|status| status["viewers"] == 1);
    running.end();
}

#[test]
fn masks_may_be_long() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    let mut viewer = running.viewer();
    // 2048 x 2048 bits, all of them set.
    let bits = format!("{}//8=", "////".repeat((2048 * 256 - 2) / 3));
    viewer.send(&format!(
        r#"{{"type":"draw","shape":{{"kind":"mask","low":[8,-9],"width":2048,"height":2048,"bits":"{bits}"}},"solid":true}}"#
    ));
    viewer.status(|status| status["drag"] == 64.0);
    running.end();
}

#[test]
fn connections_that_say_nothing_stop_nothing() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    let mut viewer = running.viewer();
    let idle: Vec<TcpStream> = (0..60)
        .map(|number| {
            let mut stream = TcpStream::connect(("127.0.0.1", running.port)).unwrap();
            if number % 2 == 0 {
                stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
            }
            stream
        })
        .collect();
    let before = viewer.status(|_| true)["step"].as_u64();
    viewer.status(|status| status["step"].as_u64() > before);
    viewer.picture(|_| true);
    running.viewer().picture(|_| true);
    running.end();
    drop(idle);
}

#[test]
fn a_flood_of_good_messages_is_cut() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    let mut viewer = running.viewer();
    for _ in 0..2000 {
        viewer.send(r#"{"type":"set","name":"speed","value":0.07}"#);
    }
    assert_eq!(viewer.refused(), "too many messages in a second: send fewer");
    viewer.status(|status| status["values"]["speed"] == 0.07);
    running.end();
}
