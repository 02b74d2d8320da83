//! Checkpoints go up and down, bounded.

use lbm_live::Live;

use crate::client::{Running, request};
use crate::toy::Toy;

#[test]
fn a_checkpoint_goes_down_and_up() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    let mut viewer = running.viewer();
    viewer.send(r#"{"type":"draw","shape":{"kind":"circle","centre":[8,4],"radius":2},"solid":true}"#);
    viewer.status(|status| status["drag"] == 12.0);
    viewer.send(r#"{"type":"pause","paused":true}"#);
    let step = viewer.status(|status| status["paused"] == true)["step"].clone();
    let (status, headers, saved) = request("GET", &running.with_token("/checkpoint"), &[], b"");
    assert_eq!((status, saved.len()), (200, 8 + 24 + 5 * 128));
    assert!(headers.contains("content-type: application/octet-stream"), "{headers}");
    viewer.send(r#"{"type":"reset"}"#);
    viewer.status(|status| status["step"] == 0);
    let (status, _, body) = request("POST", &running.with_token("/checkpoint"), &[], &saved);
    assert_eq!((status, body.len()), (204, 0));
    viewer.status(|status| status["step"] == step && status["drag"] == 12.0);
    let mut toy = running.end().flow;
    assert_eq!(lbm_live::Flow::save(&mut toy).unwrap(), saved);
}

#[test]
fn wrong_uploads_are_refused_and_change_nothing() {
    let running = Running::start(Live::new(Toy::new(16, 8)).largest_checkpoint(1000));
    let upload = |body: &[u8]| {
        let (status, _, text) = request("POST", &running.with_token("/checkpoint"), &[], body);
        (status, String::from_utf8(text).unwrap())
    };
    assert_eq!(upload(b"junk"), (409, "4 bytes are no checkpoint: give 672\n".to_owned()));
    assert_eq!(upload(&[0; 1000]).0, 409);
    let (status, text) = upload(&[0; 1001]);
    assert_eq!((status, text.contains("at most 1000 bytes")), (413, true), "{text}");
    // Without a length, what comes is counted.
    let mut body = std::io::Cursor::new(vec![0; 5000]);
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let sent = agent.post(running.with_token("/checkpoint")).send(ureq::SendBody::from_reader(&mut body));
    assert_eq!(sent.unwrap().status().as_u16(), 413);
    let ended = running.end();
    let mut plain = Toy::new(16, 8);
    lbm_live::Flow::run(&mut plain, ended.steps).unwrap();
    assert_eq!(ended.flow.bits(), plain.bits());
}
