//! Junk leaves the flow's bits as they are, and its steps going on.

use std::io::Write;
use std::net::TcpStream;

use lbm_live::{Flow, Live};
use tungstenite::Message;

use crate::client::Running;
use crate::flood::flood;
use crate::toy::Toy;

#[test]
fn ten_thousand_junk_messages_leave_the_bits_as_they_are() {
    let running = Running::start(Live::new(Toy::new(32, 16)));
    let mut witness = running.viewer();
    witness.status(|status| status["steering"] == true);
    flood(running.port, &running.token);
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
