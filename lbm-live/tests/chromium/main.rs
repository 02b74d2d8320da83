//! The page, in a headless Chromium, with a toy in place of a flow.

mod page;
#[path = "../toy/mod.rs"]
mod toy;

use std::env;
use std::path::PathBuf;
use std::thread;

use lbm_live::Live;

use self::page::drive_page;
use self::toy::Toy;

#[test]
fn a_person_plays_with_the_page() {
    let bound = Live::new(Toy::new(256, 128)).listen("127.0.0.1:0".parse().unwrap()).bind().unwrap();
    let (url, stop) = (bound.url().to_owned(), bound.stop());
    let run = thread::spawn(move || bound.run());
    let folder = env::var_os("LBM_SCREENSHOTS").map(PathBuf::from);
    let driven = thread::spawn(move || drive_page(&url, folder.as_deref())).join();
    stop.stop();
    let ended = run.join().unwrap().unwrap();
    if driven.unwrap() {
        assert!(!ended.flow.is_solid(76, 64), "all was taken back");
        assert!(ended.flow.pictures > 20);
    }
}
