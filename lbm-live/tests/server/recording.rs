//! The same events in the same steps, without a server, give the same bits.

use std::fs;
use std::path::Path;

use lbm_live::{Error, Event, Flow, Live, Shape, What, read_events, replay};

use crate::client::{Running, load, request};
use crate::toy::Toy;

const DRAWS: [&str; 6] = [
    r#"{"kind":"brush","points":[[3.1,4.7],[9.3,11.2],[20,5]],"radius":1.7}"#,
    r#"{"kind":"line","from":[1,2],"to":[28.5,14.1],"width":1.3}"#,
    r#"{"kind":"circle","centre":[20.123456789012345,8.1],"radius":3.3000000000000003}"#,
    r#"{"kind":"rectangle","low":[2,2],"high":[9,6],"angle":33.3}"#,
    r#"{"kind":"aerofoil","nose":[4,8],"chord":20,"angle":12.5}"#,
    r#"{"kind":"mask","low":[5,5],"width":10,"height":2,"bits":"/8D/wA=="}"#,
];

/// A steered run that was recorded, with its last bits.
fn recorded(path: &Path) -> (Toy, u64) {
    let running = Running::start(Live::new(Toy::new(32, 16)).record(path));
    let mut viewer = running.viewer();
    let key = viewer.key();
    for (count, shape) in (1..).zip(DRAWS) {
        viewer.send(&format!(r#"{{"type":"draw","shape":{shape},"solid":{}}}"#, count % 3 > 0));
        viewer.status(|status| status["undo"] == count);
        viewer.send(&format!(r#"{{"type":"set","name":"speed","value":0.0{count}123456789012345}}"#));
    }
    viewer.send(r#"{"type":"undo"}"#);
    viewer.status(|status| status["undo"] == 5);
    let saved = request("GET", &running.with_token("/checkpoint"), &[], b"").2;
    viewer.send(r#"{"type":"reset"}"#);
    viewer.status(|status| status["undo"] == 0);
    viewer.send(&format!(r#"{{"type":"draw","shape":{},"solid":true}}"#, DRAWS[2]));
    viewer.status(|status| status["undo"] == 1);
    assert_eq!(load(&running, &key, &saved).0, 204);
    viewer.status(|status| status["undo"] == 0);
    // Refused: not recorded.
    viewer.send(r#"{"type":"undo"}"#);
    viewer.refused();
    viewer.send(&format!(r#"{{"type":"draw","shape":{},"solid":true}}"#, DRAWS[0]));
    let before = viewer.status(|status| status["undo"] == 1)["step"].as_u64();
    viewer.status(|status| status["step"].as_u64() > before);
    let ended = running.end();
    (ended.flow, ended.steps)
}

#[test]
fn a_replay_gives_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.jsonl");
    let (toy, steps) = recorded(&path);
    let events = read_events(&path).unwrap();
    assert_eq!(events.len(), 6 + 6 + 1 + 1 + 1 + 1 + 1);
    assert!(matches!(&events[15].what, What::Load(file) if file.ends_with("events.jsonl.0.checkpoint")));
    assert!(events.windows(2).all(|pair| pair[0].step <= pair[1].step));
    let mut again = Toy::new(32, 16);
    replay(&mut again, &events, steps).unwrap();
    assert_eq!(again.bits(), toy.bits());
    // The bits know the steps of the events.
    let mut late = events.clone();
    late[0].step += 1;
    let mut other = Toy::new(32, 16);
    replay(&mut other, &late[..6], late[5].step).unwrap();
    let mut same = Toy::new(32, 16);
    replay(&mut same, &events[..6], late[5].step).unwrap();
    assert_ne!(other.bits(), same.bits());
    // Events after the last step are left out.
    let mut start = Toy::new(32, 16);
    replay(&mut start, &events, 0).unwrap();
    assert_eq!(start.steps_done(), 0);
}

#[test]
fn a_recording_is_lines_of_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.jsonl");
    recorded(&path);
    let text = fs::read_to_string(&path).unwrap();
    let first = text.lines().next().unwrap();
    let (head, rest) = first.split_once(",\"event\":").unwrap();
    assert!(head.starts_with("{\"step\":"), "{first}");
    let event: Event = serde_json::from_str(rest.strip_suffix('}').unwrap()).unwrap();
    let Event::Draw { shape: Shape::Brush { points, radius }, solid: true, axis: 2, slice: 0 } = event else {
        panic!("{first}")
    };
    assert_eq!((points, radius), (vec![[3.1, 4.7], [9.3, 11.2], [20.0, 5.0]], 1.7));
}

#[test]
fn recordings_that_are_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.jsonl");
    let read = |text: &str| {
        fs::write(&path, text).unwrap();
        read_events(&path).unwrap_err().to_string()
    };
    let undo = r#"{"step":5,"event":{"type":"undo"}}"#;
    assert!(read("{").contains("line 1"));
    assert!(
        read(&format!("{undo}\n{}", undo.replace('5', "4"))).contains("line 2: step 4 comes after step 5")
    );
    assert!(read(r#"{"step":5}"#).contains("one of `event` and `load`"));
    assert!(read(r#"{"step":5,"event":{"type":"undo"},"load":"a"}"#).contains("one of"));
    assert!(read(r#"{"step":5,"load":"../a"}"#).contains("plain name"));
    assert!(read(r#"{"step":-1,"event":{"type":"undo"}}"#).contains("line 1"));
    assert!(read(r#"{"step":5,"event":{"type":"undo"},"more":1}"#).contains("more"));
    // Events of another flow.
    fs::write(&path, r#"{"step":5,"event":{"type":"set","name":"speed","value":7}}"#).unwrap();
    let error = replay(&mut Toy::new(8, 8), &read_events(&path).unwrap(), 9).unwrap_err();
    assert!(error.to_string().contains("step 5") && error.to_string().contains("0 to 0.1"), "{error}");
    // A file that is there is not written over.
    let error = Live::new(Toy::new(8, 8)).listen("127.0.0.1:0".parse().unwrap()).record(&path).bind().err();
    assert!(matches!(error, Some(Error::Record { .. })));
}
