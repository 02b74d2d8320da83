//! `lbm live` as a person meets it: the page of a real flow in a headless Chromium, and a recording that is done again.

#[path = "../../lbm-live/tests/chromium/page/mod.rs"]
mod page;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A flow that is served until it is dropped.
struct Served {
    child: Child,
    url: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself, and then a test says so.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lbm(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lbm"));
    command.args(arguments);
    command
}

fn serve(arguments: &[&str]) -> Served {
    let mut command = lbm(&[&["live", "--listen", "127.0.0.1:0"], arguments].concat());
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the command starts");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut url = lines.map_while(Result::ok).filter_map(|line| line.strip_prefix("open").map(str::to_owned));
    let url = url.next().expect("the address is printed").trim().to_owned();
    Served { child, url }
}

/// Frames change, a circle is drawn by mouse and has a wake, is erased and taken back; a slider moves; the flow pauses, steps, is saved; and what was
/// done has the same bits when it is done again without a viewer.
#[test]
fn a_person_plays_with_the_wind_tunnel() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("events.jsonl");
    let record = record.to_str().expect("a plain name");
    let small = ["--set", "size=128", "--set", "obstacle=none"];
    let screenshots = std::env::var_os("LBM_SCREENSHOTS").map(std::path::PathBuf::from);
    let served = serve(&[&small[..], &["--record", record]].concat());
    if !page::drive_page(&served.url, screenshots.as_deref()) {
        return;
    }
    drop(served);
    let again = |place: &[&str]| {
        let own = ["live", "--replay", record, "--steps", "400"];
        let output = lbm(&[&own[..], &small[..], place].concat()).output().expect("the command starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.lines().find(|line| line.starts_with("checksum")).expect("a checksum").to_owned()
    };
    let recorded = std::fs::read_to_string(record).unwrap();
    assert!(recorded.lines().count() >= 4, "{recorded}");
    let expected = again(&[]);
    assert_eq!(again(&["--set", "streaming=esoteric-pull", "--set", "layout=aosoa128"]), expected);
}

#[test]
fn what_cannot_be_served_says_why() {
    let fails = |arguments: &[&str], said: &str| {
        let output = lbm(arguments).output().expect("the command starts");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(said), "{text}");
    };
    fails(&["live", "nowhere"], "unknown case `nowhere`");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flow.toml");
    let text = "lattice = 'D2Q9'\nsize = [32, 16]\nviscosity = 0.05\n[[bodies]]\nname = 'far'\nshape = 'sphere:99,8,0.5,3'\n";
    std::fs::write(&file, text).unwrap();
    let said = "flow.toml: line 5, column 8: the body `far` takes no node of the box";
    fails(&["live", file.to_str().expect("a plain name")], said);
    fails(&["live", "--replay", "none.jsonl"], "--steps");
    let small = ["--set", "size=32", "--listen"];
    fails(&[&["live"], &small[..], &["127.0.0.1"]].concat(), "127.0.0.1");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    fails(&[&["live"], &small[..], &[address.as_str()]].concat(), &address);
    fails(&["live", "--set", "size=32", "--replay", "none.jsonl", "--steps", "1"], "none.jsonl");
    fails(&["bench", "live", "--flow", "spheres"], "--flow is not for `lbm bench live`");
    fails(&["bench", "live", "d2q9"], "a further word is not for `lbm bench live`");
    fails(&["bench", "live", "--size", "64,64"], "twice as long as high");
    fails(&["bench", "live", "--size", "64,32", "--seconds", "0"], "--seconds = 0");
}

/// A tiny tunnel with a viewer of its own, in one command that ends.
#[test]
fn a_flow_with_its_viewer_is_measured_in_one_command() {
    let arguments = ["bench", "live", "--size", "64,32", "--seconds", "0.2", "--set", "re=50", "--json"];
    let output = lbm(&arguments).output().expect("the command starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let viewed: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!((&viewed["case"], &viewed["size"]), (&"windtunnel2d".into(), &vec![64, 32, 1].into()));
    for figure in ["mlups_without_viewer", "mlups_with_viewer", "pictures_a_second", "event_to_picture_ms"] {
        assert!(viewed[figure].as_f64().is_some_and(|value| value > 0.0), "{figure} of {viewed}");
    }
}
