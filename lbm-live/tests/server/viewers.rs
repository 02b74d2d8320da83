//! Several viewers: all see the same, one steers, slow and dead ones stop nothing.

use std::io::Write;
use std::thread::sleep;
use std::time::{Duration, Instant};

use lbm_live::Live;

use crate::client::Running;
use crate::toy::Toy;

const DRAW: &str = r#"{"type":"draw","shape":{"kind":"circle","centre":[8,4],"radius":2},"solid":true}"#;
const VIEW: &str = r#"{"type":"view","field":"vorticity","region":[0,0,16,8],"width":16,"height":8}"#;

#[test]
fn a_second_viewer_sees_the_same_and_draws_after_taking_over() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    let mut first = running.viewer();
    let about = first.text("about", |_| true);
    assert_eq!((&about["title"], &about["can_draw"]), (&"Toy".into(), &true.into()));
    assert_eq!(about["size"], serde_json::json!([16, 8, 1]));
    first.status(|status| status["steering"] == true && status["viewers"] == 1);
    let mut second = running.viewer();
    second.status(|status| status["steering"] == false && status["viewers"] == 2);
    first.status(|status| status["viewers"] == 2);

    second.send(DRAW);
    assert!(second.refused().contains("take over first"));
    for text in [
        r#"{"type":"undo"}"#,
        r#"{"type":"reset"}"#,
        r#"{"type":"pause","paused":true}"#,
        r#"{"type":"step"}"#,
    ] {
        second.send(text);
        assert!(second.refused().contains("take over first"), "{text}");
    }
    // The view of who steers decides.
    second.send(VIEW);
    first.send(&VIEW.replace("vorticity", "speed").replace("\"width\":16", "\"width\":12"));
    let shown = first.picture(|shown| shown.size == [12, 8]);
    assert_eq!(shown.field, 0);
    let same = second.picture(|other| other.step >= shown.step);
    assert_eq!((same.field, same.size), (0, [12, 8]));

    second.send(r#"{"type":"steer"}"#);
    second.status(|status| status["steering"] == true);
    first.status(|status| status["steering"] == false);
    assert_eq!(first.picture(|shown| shown.field == 1).size, [16, 8], "now the second's view");
    second.send(DRAW);
    first.status(|status| status["undo"] == 1 && status["drag"] == 12.0);
    first.send(DRAW);
    assert!(first.refused().contains("take over first"));
    // Who is left steers again.
    drop(second);
    first.status(|status| status["steering"] == true && status["viewers"] == 1);
    assert_eq!(first.picture(|shown| shown.field == 0).size, [12, 8]);
    let ended = running.end();
    assert!(ended.flow.is_solid(7, 3) && !ended.flow.is_solid(0, 0));
}

#[test]
fn a_slow_viewer_stops_nothing_and_then_sees_the_newest() {
    let running = Running::start(Live::new(Toy::new(64, 32)));
    let mut quick = running.viewer();
    let mut slow = running.viewer();
    slow.picture(|_| true);
    let seen: Vec<u64> = (0..60).map(|_| quick.picture(|_| true).step).collect();
    assert!(seen.windows(2).all(|steps| steps[0] < steps[1]), "steps go on: {seen:?}");
    let newest = seen[seen.len() - 1];
    let mut old = 0;
    while slow.picture(|_| true).step < newest {
        old += 1;
    }
    assert!(old <= 4, "{old} old pictures waited for the slow one");
    running.end();
}

#[test]
fn pictures_are_made_only_while_somebody_looks() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    sleep(Duration::from_millis(300));
    let mut viewer = running.viewer();
    let (start, pictures) = (Instant::now(), 32);
    (0..pictures).for_each(|_| drop(viewer.picture(|_| true)));
    assert!(start.elapsed() > Duration::from_millis(900), "{pictures} pictures in {:?}", start.elapsed());
    drop(viewer);
    sleep(Duration::from_secs(1));
    let made = running.end().flow.pictures;
    assert!(made <= pictures + 10, "{made} pictures made, {pictures} seen");
}

#[test]
fn a_viewer_that_dies_stops_nothing() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    let mut witness = running.viewer();
    for _ in 0..20 {
        let mut dies = running.viewer();
        dies.send(r#"{"type":"steer"}"#);
        dies.send(DRAW);
        // Half of a frame: a text of 100 bytes is announced, 4 come.
        dies.socket.get_mut().write_all(&[0x81, 0xe4, 1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    }
    let before =
        witness.status(|status| status["viewers"] == 1 && status["steering"] == true)["step"].clone();
    witness.status(|status| status["step"].as_u64() > before.as_u64());
    witness.send(r#"{"type":"reset"}"#);
    witness.status(|status| status["undo"] == 0);
    running.end();
}

#[test]
fn sixteen_viewers_have_room() {
    let running = Running::start(Live::new(Toy::new(16, 8)));
    let mut all: Vec<_> = (0..16).map(|_| running.viewer()).collect();
    all[15].status(|status| status["viewers"] == 16);
    assert_eq!(running.socket(&running.token, &[]).err(), Some(429));
    drop(all.pop());
    all[0].status(|status| status["viewers"] == 15);
    assert!(running.socket(&running.token, &[]).is_ok());
    running.end();
}
