//! Binary frames give back what the flow showed.

use std::io::{Cursor, Read};

use lbm_live::Live;
use tungstenite::Message;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::client::{Running, Shown, Viewer, u16_at, u64_at};
use crate::toy::Toy;

const PAUSE: &str = r#"{"type":"pause","paused":true}"#;

/// A paused toy with a mask, and what it shows then.
fn paused(toy: Toy) -> (Running<Toy>, Viewer, u64) {
    let running = Running::start(Live::new(toy));
    let mut viewer = running.viewer();
    viewer.send(PAUSE);
    let step = viewer.status(|status| status["paused"] == true)["step"].as_u64().unwrap();
    (running, viewer, step)
}

fn decoded(shown: &Shown) -> Vec<u8> {
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::Luma);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(&shown.body), options);
    let pixels = decoder.decode().unwrap();
    let size = decoder.dimensions().unwrap();
    assert_eq!(size, (usize::from(shown.size[0]), usize::from(shown.size[1])));
    assert_eq!(pixels.len(), size.0 * size.1, "gray");
    pixels
}

#[test]
fn pictures_decode_to_their_values() {
    let (running, mut viewer, step) = paused(Toy::new(64, 48));
    let view = r#"{"type":"view","field":"vorticity","region":[8,4,48,44],"width":40,"height":40}"#;
    viewer.send(view);
    let shown = viewer.picture(|shown| shown.size == [40, 40]);
    assert_eq!((shown.field, shown.step), (1, step));
    assert_eq!(shown.floats, [0.0, 0.1, 8.0, 4.0, 48.0, 44.0]);
    let pixels = decoded(&shown);
    let toy = running.end().flow;
    for (at, pixel) in pixels.into_iter().enumerate() {
        // The row of the largest y comes first.
        let (column, row) = (8 + at % 40, 43 - at / 40);
        let value = toy.shown(column, row);
        assert!(pixel.abs_diff(value) <= 4, "{pixel} for {value} at {column}, {row}");
    }
}

#[test]
fn masks_are_exact_and_sent_when_they_change() {
    let (running, mut viewer, _) = paused(Toy::new(21, 9));
    viewer.send(r#"{"type":"draw","shape":{"kind":"circle","centre":[12.3,4.1],"radius":3.2},"solid":true}"#);
    viewer.status(|status| status["undo"] == 1);
    viewer.send(r#"{"type":"view","field":"speed","region":[1,0,20,9],"width":19,"height":9}"#);
    let shown = viewer.mask(|shown| shown.size == [19, 9]);
    assert_eq!(shown.floats, [1.0, 0.0, 20.0, 9.0]);
    let mut bits = Vec::new();
    flate2::read::ZlibDecoder::new(shown.body.as_slice()).read_to_end(&mut bits).unwrap();
    assert_eq!(bits.len(), 3 * 9);
    // More pictures, the same mask: it does not come again.
    viewer.send(r#"{"type":"pause","paused":false}"#);
    let mut pictures = 0;
    viewer.until(|message| {
        let Message::Binary(bytes) = message else { return None };
        assert_ne!(bytes[0], 2, "the same mask again");
        pictures += u32::from(bytes[0] == 1);
        (pictures == 10).then_some(())
    });
    viewer.send(r#"{"type":"undo"}"#);
    viewer.mask(|shown| shown.size == [19, 9]);
    // A late viewer gets it, too.
    viewer.send(r#"{"type":"draw","shape":{"kind":"circle","centre":[12.3,4.1],"radius":3.2},"solid":true}"#);
    viewer.mask(|_| true);
    let mut late = running.viewer();
    let mut again = Vec::new();
    flate2::read::ZlibDecoder::new(late.mask(|_| true).body.as_slice()).read_to_end(&mut again).unwrap();
    assert_eq!(again, bits);
    let toy = running.end().flow;
    for row in 0..9 {
        for column in 0..24 {
            let set = bits[row * 3 + column / 8] & (0x80 >> (column % 8)) != 0;
            assert_eq!(set, column < 19 && toy.is_solid(column + 1, 8 - row), "{column}, {row}");
        }
    }
}

#[test]
fn particles_come_when_they_are_wished_for() {
    let (running, mut viewer, step) = paused(Toy::new(16, 8));
    viewer
        .send(r#"{"type":"view","field":"speed","region":[0,0,16,8],"width":8,"height":4,"particles":true}"#);
    let bytes = viewer.until(|message| match message {
        Message::Binary(bytes) if bytes[0] == 3 => Some(bytes.clone()),
        _ => None,
    });
    assert_eq!((&bytes[..4], &bytes[4..8], u64_at(&bytes, 8)), (&[3, 0, 0, 0][..], &[2, 0, 0, 0][..], step));
    let places: Vec<u16> = (32..bytes.len()).step_by(2).map(|at| u16_at(&bytes, at)).collect();
    assert_eq!(places, [0, 0, 65535, 32768]);
    running.end();
}

#[test]
fn streaklines_come_line_by_line() {
    let (running, mut viewer, step) = paused(Toy::new(16, 8));
    viewer.send(r#"{"type":"view","field":"speed","region":[0,0,16,8],"width":8,"height":4,"streaks":true}"#);
    let bytes = viewer.until(|message| match message {
        Message::Binary(bytes) if bytes[0] == 4 => Some(bytes.clone()),
        _ => None,
    });
    assert_eq!((&bytes[..8], u64_at(&bytes, 8)), (&[4, 0, 2, 0, 0, 0, 0, 0][..], step));
    let numbers: Vec<u16> = (32..bytes.len()).step_by(2).map(|at| u16_at(&bytes, at)).collect();
    assert_eq!(numbers, [3, 100, 30000, 30000, 32000, 60000, 31000, 0]);
    running.end();
}

#[test]
fn pictures_may_be_made_beside_the_steps() {
    let mut toy = Toy::new(16, 8);
    toy.patience = 3;
    let (running, mut viewer, step) = paused(toy);
    viewer.send(r#"{"type":"view","field":"speed","region":[0,0,16,8],"width":8,"height":4}"#);
    assert_eq!(viewer.picture(|shown| shown.size == [8, 4]).step, step);
    viewer.send(r#"{"type":"pause","paused":false}"#);
    viewer.picture(|shown| shown.step > step);
    running.end();
}

/// What is drawn while a picture is made is not in it: the picture comes all the same, and then another one, also of a flow that is paused.
#[test]
fn a_picture_goes_on_while_something_is_drawn() {
    let mut toy = Toy::new(16, 8);
    toy.patience = 30;
    let (running, mut viewer, _) = paused(toy);
    viewer.mask(|_| true);
    viewer.send(r#"{"type":"view","field":"speed","region":[0,0,16,8],"width":16,"height":4}"#);
    viewer.picture(|shown| shown.size == [16, 4]);
    viewer.send(r#"{"type":"view","field":"speed","region":[0,0,16,8],"width":16,"height":8}"#);
    // It is being made now, some 300 ms long.
    std::thread::sleep(std::time::Duration::from_millis(80));
    viewer.send(r#"{"type":"draw","shape":{"kind":"circle","centre":[8,4],"radius":3},"solid":true}"#);
    let mut masks = Vec::new();
    viewer.until(|message| {
        let Message::Binary(bytes) = message else { return None };
        if bytes[0] == 2 && u16_at(bytes, 4) == 8 {
            let mut bits = Vec::new();
            flate2::read::ZlibDecoder::new(&bytes[32..]).read_to_end(&mut bits).unwrap();
            masks.push(bits.iter().any(|&bits| bits != 0));
        }
        masks.ends_with(&[true]).then_some(())
    });
    assert_eq!(masks, [false, true]);
    running.end();
}
