//! Pause, step, set, undo, reset: what the steering viewer asks arrives.

use std::time::{Duration, Instant};

use lbm_live::Live;
use serde_json::Value;
use tungstenite::Message;

use crate::client::Running;
use crate::toy::Toy;

#[test]
fn a_paused_flow_takes_single_steps() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    let mut viewer = running.viewer();
    viewer.send(r#"{"type":"step"}"#);
    viewer.send(r#"{"type":"pause","paused":true}"#);
    let paused = viewer.status(|status| status["paused"] == true)["step"].as_u64().unwrap();
    for _ in 0..3 {
        viewer.send(r#"{"type":"step"}"#);
    }
    assert_eq!(viewer.picture(|shown| shown.step == paused + 3).size, [16, 8], "the picture follows");
    viewer.status(|status| status["step"] == paused + 3);
    // Events apply, and are seen, while it is paused.
    viewer.send(r#"{"type":"draw","shape":{"kind":"circle","centre":[8,4],"radius":2},"solid":true}"#);
    let drawn = viewer.status(|status| status["undo"] == 1);
    assert_eq!(drawn["step"], paused + 3);
    viewer.send(r#"{"type":"pause","paused":false}"#);
    viewer.status(|status| status["step"].as_u64() > Some(paused + 100));
    running.end();
}

#[test]
fn sliders_are_set_within_their_range() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    let mut viewer = running.viewer();
    viewer.send(r#"{"type":"set","name":"speed","value":0.075}"#);
    let status = viewer.status(|status| status["values"]["speed"] == 0.075);
    assert_eq!(status["values"]["viscosity"], 0.01);
    viewer.send(r#"{"type":"set","name":"speed","value":0.2}"#);
    assert_eq!(viewer.refused(), "speed = 0.2 is out of range: give 0 to 0.1");
    viewer.send(r#"{"type":"set","name":"heat","value":0.2}"#);
    assert_eq!(viewer.refused(), "there is no slider \"heat\": take one of speed, viscosity, forcing");
    assert_eq!(running.end().flow.bits().3[1], 0.075_f64.to_bits());
}

#[test]
fn draws_are_taken_back() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    let mut viewer = running.viewer();
    viewer.send(
        r#"{"type":"draw","shape":{"kind":"rectangle","low":[2,2],"high":[6,4],"angle":0},"solid":true}"#,
    );
    viewer.status(|status| status["drag"] == 8.0 && status["undo"] == 1);
    viewer
        .send(r#"{"type":"draw","shape":{"kind":"brush","points":[[2.5,2.5]],"radius":0.4},"solid":false}"#);
    viewer.status(|status| status["drag"] == 7.0 && status["undo"] == 2);
    viewer.send(r#"{"type":"undo"}"#);
    viewer.status(|status| status["drag"] == 8.0 && status["undo"] == 1);
    viewer.send(r#"{"type":"undo"}"#);
    viewer.status(|status| status["drag"] == Value::Null && status["undo"] == 0);
    viewer.send(r#"{"type":"undo"}"#);
    assert_eq!(viewer.refused(), "nothing was drawn: draw first");
    running.end();
}

/// What is done but for a part is done, recorded and shown, and who asked for it reads why; nobody else does.
#[test]
fn what_is_left_out_of_a_draw_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("events.jsonl");
    let mut toy = Toy::new(16, 8);
    toy.free = 3;
    let running = Running::start(Live::new(toy).record(&record));
    let (mut viewer, mut other) = (running.viewer(), running.viewer());
    let rectangle = |low: u32, high: u32| {
        draw(&format!(r#"{{"kind":"rectangle","low":[{low},2],"high":[{high},4],"angle":0}}"#))
    };
    viewer.send(&rectangle(5, 7));
    viewer.status(|status| status["undo"] == 1 && status["drag"] == 4.0);
    viewer.send(&rectangle(1, 5));
    // The first that is refused is this one.
    let said = viewer.text("refused", |_| true);
    assert_eq!(said["message"], "columns below 3 stay free: draw further right");
    assert_eq!(said["partly"], true);
    viewer.status(|status| status["undo"] == 2 && status["drag"] == 8.0);
    viewer.send(r#"{"type":"set","name":"heat","value":0.2}"#);
    assert_eq!(viewer.text("refused", |_| true)["partly"], false);
    other.send(r#"{"type":"undo"}"#);
    assert!(other.refused().contains("take over first"), "the other one's first refusal is its own");
    running.end();
    assert_eq!(lbm_live::read_events(&record).unwrap().len(), 2);
}

fn draw(shape: &str) -> String {
    format!(r#"{{"type":"draw","shape":{shape},"solid":true}}"#)
}

#[test]
fn a_reset_begins_again() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    let mut viewer = running.viewer();
    viewer.send(r#"{"type":"draw","shape":{"kind":"circle","centre":[8,4],"radius":2},"solid":true}"#);
    let before = viewer.status(|status| status["undo"] == 1)["step"].as_u64().unwrap();
    viewer.send(r#"{"type":"pause","paused":true}"#);
    viewer.status(|status| status["paused"] == true);
    viewer.send(r#"{"type":"reset"}"#);
    viewer.status(|status| status["step"] == 0 && status["undo"] == 0);
    let ended = running.end();
    assert_eq!(ended.flow.bits(), Toy::new(16, 8).bits());
    assert!(ended.steps >= before, "steps before a reset count");
}

#[test]
fn the_run_ends_after_its_steps() {
    let running = Running::start(Live::new(Toy::new(16, 8)).steps(12_345));
    let ended = running.wait().unwrap();
    assert_eq!(ended.steps, 12_345);
    let mut plain = Toy::new(16, 8);
    lbm_live::Flow::run(&mut plain, 12_345).unwrap();
    assert_eq!(ended.flow.bits(), plain.bits());
}

#[test]
fn a_draw_knows_the_slice_that_was_looked_at() {
    let running = Running::start(Live::new(Toy::deep(16, 8, 6)));
    let mut viewer = running.viewer();
    let draw = r#"{"type":"draw","shape":{"kind":"circle","centre":[4,4],"radius":2},"solid":true}"#;
    let view =
        r#"{"type":"view","field":"speed","region":[0,0,8,6],"width":8,"height":6,"axis":0,"slice":11}"#;
    viewer.send(draw);
    viewer.send(view);
    viewer.send(draw);
    viewer.send(&view.replace("11", "null"));
    viewer.send(draw);
    viewer.send(&view.replace("11", "16"));
    assert_eq!(viewer.refused(), "slice = 16 is out of range: give 0 to 15");
    viewer.status(|status| status["undo"] == 3);
    assert_eq!(running.end().flow.drawn_on, [(2, 3), (0, 11), (0, 8)]);
}

#[test]
fn the_end_closes_sockets_soon() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    let mut viewer = running.viewer();
    viewer.status(|_| true);
    let start = Instant::now();
    running.stop.stop();
    let code = viewer.until(|message| match message {
        Message::Close(frame) => {
            Some(frame.as_ref().map(|frame| (u16::from(frame.code), frame.reason.to_string())))
        }
        _ => None,
    });
    assert_eq!(code, Some((1001, "the flow has ended".to_owned())));
    // The client's own answer to the close goes with the next call.
    assert!(viewer.socket.read().is_err());
    running.end();
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
}
