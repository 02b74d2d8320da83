//! Checkpoints go up and down, bounded.

use lbm_live::Live;

use crate::client::{Running, load, request};
use crate::toy::Toy;

#[test]
fn a_checkpoint_goes_down_and_up() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    let mut viewer = running.viewer();
    let key = viewer.key();
    viewer.send(r#"{"type":"draw","shape":{"kind":"circle","centre":[8,4],"radius":2},"solid":true}"#);
    viewer.status(|status| status["drag"] == 12.0);
    viewer.send(r#"{"type":"pause","paused":true}"#);
    let step = viewer.status(|status| status["paused"] == true)["step"].clone();
    let (status, headers, saved) = request("GET", &running.with_token("/checkpoint"), &[], b"");
    assert_eq!((status, saved.len()), (200, 8 + 24 + 5 * 128));
    assert!(headers.contains("content-type: application/octet-stream"), "{headers}");
    viewer.send(r#"{"type":"reset"}"#);
    viewer.status(|status| status["step"] == 0);
    assert_eq!(load(&running, &key, &saved), (204, String::new()));
    viewer.status(|status| status["step"] == step && status["drag"] == 12.0);
    let mut toy = running.end().flow;
    assert_eq!(lbm_live::Flow::save(&mut toy).unwrap(), saved);
}

#[test]
fn wrong_uploads_are_refused_and_change_nothing() {
    let running = Running::start(Live::new(Toy::new(16, 8)).largest_checkpoint(1000));
    let mut viewer = running.viewer();
    let key = viewer.key();
    let upload = |body: &[u8]| load(&running, &key, body);
    assert_eq!(upload(b"junk"), (409, "4 bytes are no checkpoint: give 672\n".to_owned()));
    assert_eq!(upload(&[0; 1000]).0, 409);
    let (status, text) = upload(&[0; 1001]);
    assert_eq!((status, text.contains("at most 1000 bytes")), (413, true), "{text}");
    // Without a length, what comes is counted.
    let mut body = std::io::Cursor::new(vec![0; 5000]);
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let sent = agent
        .post(running.with_token("/checkpoint"))
        .header("x-lbm-key", &key)
        .send(ureq::SendBody::from_reader(&mut body));
    assert_eq!(sent.unwrap().status().as_u16(), 413);
    let ended = running.end();
    let mut plain = Toy::new(16, 8);
    lbm_live::Flow::run(&mut plain, ended.steps).unwrap();
    assert_eq!(ended.flow.bits(), plain.bits());
}

#[test]
fn only_who_steers_loads() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    let saved = lbm_live::Flow::save(&mut Toy::new(16, 8)).unwrap();
    let refused =
        "Only who steers this flow loads: take over first, and send the socket's key as x-lbm-key.\n";
    let refused = (403, refused.to_owned());
    assert_eq!(load(&running, "", &saved), refused, "nobody steers");
    let (mut first, mut second) = (running.viewer(), running.viewer());
    let keys = [first.key(), second.key()];
    assert_ne!(keys[0], keys[1]);
    first.status(|status| status["viewers"] == 2 && status["steering"] == true);
    for key in ["", &keys[1], &keys[0][1..], &running.token] {
        assert_eq!(load(&running, key, &saved), refused, "{key}");
    }
    let (status, _, text) = request("POST", &running.with_token("/checkpoint"), &[], &saved);
    assert_eq!((status, String::from_utf8(text).unwrap()), refused, "without a key");
    let before = first.status(|status| status["step"].as_u64() > Some(1000))["step"].as_u64();
    first.status(|status| status["step"].as_u64() > before);
    assert_eq!(load(&running, &keys[0], &saved).0, 204);
    second.send(r#"{"type":"steer"}"#);
    second.status(|status| status["steering"] == true);
    assert_eq!(load(&running, &keys[0], &saved), refused, "another has taken over");
    assert_eq!(load(&running, &keys[1], &saved).0, 204);
    drop(second);
    first.status(|status| status["viewers"] == 1);
    assert_eq!(load(&running, &keys[1], &saved), refused, "the key of one that left");
    assert_eq!(load(&running, &keys[0], &saved).0, 204);
    running.end();
}
