//! A flow that stops by itself is seen, waits, and runs on after a reset.

use lbm_live::{Error, Live, read_events, replay};

use crate::client::Running;
use crate::toy::Toy;

const TOO_MUCH: &str = r#"{"type":"set","name":"forcing","value":0.95}"#;

#[test]
fn a_fault_waits_for_a_reset_and_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.jsonl");
    let running = Running::start(Live::new(Toy::new(16, 8)).record(&path));
    let mut viewer = running.viewer();
    viewer.send(TOO_MUCH);
    assert_eq!(viewer.text("fault", |_| true)["message"], "the toy diverged");
    viewer.status(|status| status["paused"] == true);
    for text in [r#"{"type":"step"}"#, r#"{"type":"undo"}"#, TOO_MUCH] {
        viewer.send(text);
        assert_eq!(viewer.refused(), "the toy diverged; reset it or load a checkpoint");
    }
    viewer.send(r#"{"type":"pause","paused":false}"#);
    // Who comes now learns of it, too.
    let mut late = running.viewer();
    assert_eq!(late.text("fault", |_| true)["message"], "the toy diverged");
    assert_eq!(late.status(|_| true)["paused"], true);
    viewer.send(r#"{"type":"reset"}"#);
    viewer.status(|status| status["paused"] == false && status["step"].as_u64() > Some(0));
    viewer.send(r#"{"type":"set","name":"speed","value":0.01}"#);
    viewer.status(|status| status["values"]["speed"] == 0.01);
    let ended = running.end();
    let mut again = Toy::new(16, 8);
    replay(&mut again, &read_events(&path).unwrap(), ended.steps).unwrap();
    assert_eq!(again.bits(), ended.flow.bits());
}

#[test]
fn a_fault_ends_a_run_of_so_many_steps() {
    let running = Running::start(Live::new(Toy::new(16, 8)).steps(1 << 40));
    let mut viewer = running.viewer();
    viewer.send(TOO_MUCH);
    let error = running.wait().err().unwrap();
    assert!(matches!(&error, Error::Fault(_)), "{error}");
    assert_eq!(error.to_string(), "the toy diverged");
}
