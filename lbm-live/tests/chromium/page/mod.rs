//! The page in a real browser: what a person does with it, and what must then be seen.
//!
//! Tests of other crates use it, too, each with a flow of its own.

#[path = "../../../../tests/skipped/mod.rs"]
mod skipped;
mod webdriver;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use self::skipped::skipped;
use self::webdriver::Browser;

/// Uses the page at a URL as a person would: sees frames change, draws a circle and sees it and its wake, erases it, undoes, moves a
/// slider, pauses, steps, saves, loads. Screenshots go to a folder, if one is given.
///
/// Where there is no Chromium, says so and returns `false`, unless `LBM_REQUIRE_CHROMIUM=1` forbids that.
///
/// # Panics
/// When something is not seen.
pub fn drive_page(url: &str, screenshots: Option<&Path>) -> bool {
    let downloads = tempfile::tempdir().unwrap();
    let browser = match Browser::start(downloads.path()) {
        Ok(browser) => browser,
        Err(reason) => {
            let required = env::var("LBM_REQUIRE_CHROMIUM").is_ok_and(|value| value == "1");
            assert!(!required, "LBM_REQUIRE_CHROMIUM=1, but {reason}");
            skipped(format_args!("no page was driven, since {reason}; install chromium and chromium-driver"));
            return false;
        }
    };
    let keep = |name: &str| {
        if let Some(folder) = screenshots {
            fs::write(folder.join(name), browser.screenshot()).unwrap();
        }
    };
    browser.open(url);
    browser.until("window.lbm && lbm.frames > 3");
    frames_change(&browser);
    keep("start.png");
    let place = Place::of(&browser);
    circle_and_wake(&browser, &place);
    keep("drawn.png");
    erase_and_undo(&browser, &place);
    slider(&browser);
    on_top(&browser);
    pause_and_step(&browser);
    let saved = save(&browser, downloads.path());
    browser.choose("#checkpoint-file", &saved);
    browser.until("document.getElementById('message').innerText.includes('is loaded')");
    keep("end.png");
    assert_eq!(browser.errors(), Vec::<String>::new(), "errors in the console");
    true
}

/// Particles and streaklines come when they are asked for, and go.
fn on_top(browser: &Browser) {
    for layer in ["particles", "streaks"] {
        browser.run(&format!("document.getElementById('{layer}').click()"));
        browser.until(&format!("lbm.{layer} > 1"));
        browser.run(&format!("document.getElementById('{layer}').click()"));
        browser.until(&format!("lbm.{layer} === 0"));
    }
}

/// Where the circle is drawn, in nodes.
struct Place {
    centre: [f64; 2],
    radius: f64,
}

impl Place {
    fn of(browser: &Browser) -> Place {
        let region = browser.run("return lbm.region");
        let [x0, y0, x1, y1] = [0, 1, 2, 3].map(|at| region[at].as_f64().unwrap());
        Place { centre: [x0 + 0.3 * (x1 - x0), (y0 + y1) / 2.0], radius: 0.1 * (y1 - y0) }
    }

    /// A place on the screen, some radii from the centre.
    fn screen(&self, browser: &Browser, right: f64, up: f64) -> [f64; 2] {
        let [x, y] = self.node(right, up);
        let place = browser.run(&format!("return lbm.screen({x}, {y})"));
        [0, 1].map(|at| place[at].as_f64().unwrap())
    }

    fn node(&self, right: f64, up: f64) -> [f64; 2] {
        [self.centre[0] + right * self.radius, self.centre[1] + up * self.radius]
    }

    fn solid(&self, right: f64, up: f64) -> String {
        let [x, y] = self.node(right, up);
        format!("lbm.solid({x}, {y})")
    }
}

fn frames_change(browser: &Browser) {
    let before = browser.run("return [lbm.frames, lbm.step]");
    let [frames, step] = [0, 1].map(|at| before[at].as_u64().unwrap());
    browser.until(&format!("lbm.frames > {frames} + 5 && lbm.step > {step}"));
    browser.until("document.getElementById('waiting').hidden");
    browser.until("document.getElementById('steer').hidden");
}

fn circle_and_wake(browser: &Browser, place: &Place) {
    browser.until(&format!("{} === false", place.solid(0.0, 0.0)));
    browser.click("#tool-circle", 0.5);
    let ends = [[0.0, 0.0], [0.5, 0.0], [1.0, 0.0]];
    browser.drag(0, &ends.map(|[right, up]| place.screen(browser, right, up)));
    browser.until(&format!("{} === true", place.solid(0.0, 0.0)));
    for (right, up, covered) in [(0.6, 0.6, true), (-0.9, 0.0, true), (0.0, 1.3, false), (1.3, 0.0, false)] {
        assert_eq!(browser.run(&format!("return {}", place.solid(right, up))), covered, "{right}, {up}");
    }
    // Behind it the flow differs from that far away across.
    let ([x, y], [_, free]) = (place.node(1.8, 0.0), place.node(1.8, 3.5));
    browser.until(&format!(
        "Math.abs(lbm.value({x}, {y}) - lbm.value({x}, {free})) > 0.3 * Math.abs(lbm.value({x}, {free}))"
    ));
    browser.until("document.getElementById('plot-drag-value').value !== '–'");
}

fn erase_and_undo(browser: &Browser, place: &Place) {
    let (drawn, erased) =
        (format!("{} === true", place.solid(0.0, 0.0)), format!("{} === false", place.solid(0.0, 0.0)));
    let ends = [[0.0, 0.0], [0.0, 0.8], [0.0, 1.6]];
    browser.drag(2, &ends.map(|[right, up]| place.screen(browser, right, up)));
    browser.until(&erased);
    browser.click("#undo", 0.5);
    browser.until(&drawn);
    browser.click("#undo", 0.5);
    browser.until(&erased);
}

fn slider(browser: &Browser) {
    let at =
        || browser.run("return Number(document.querySelector('#sliders input').value)").as_f64().unwrap();
    let before = at();
    let part = if before > 500.0 { 0.25 } else { 0.75 };
    browser.click("#sliders input", part);
    let moved = at();
    assert!((moved - before).abs() > 100.0, "the slider moved from {before} to {moved}");
    // By now it shows what the flow says.
    sleep(Duration::from_millis(1500));
    assert!((at() - moved).abs() < 1.0, "the flow is at {}, not at {moved}", at());
}

fn pause_and_step(browser: &Browser) {
    let step = || browser.run("return document.getElementById('stat-step').textContent");
    browser.click("#pause", 0.5);
    browser.until("!document.getElementById('paused-sign').hidden");
    sleep(Duration::from_millis(500));
    let paused = step();
    sleep(Duration::from_millis(500));
    assert_eq!(step(), paused, "it is paused");
    browser.click("#step", 0.5);
    browser.until(&format!("document.getElementById('stat-step').textContent !== {paused}"));
    let number = |value: serde_json::Value| value.as_str().unwrap().replace(',', "").parse::<u64>().unwrap();
    assert_eq!(number(step()), number(paused) + 1);
    browser.click("#pause", 0.5);
    browser.until("document.getElementById('paused-sign').hidden");
}

/// Saves the flow, and gives the file.
fn save(browser: &Browser, downloads: &Path) -> PathBuf {
    browser.click("#save-checkpoint", 0.5);
    let whole = || {
        let mut files = fs::read_dir(downloads).unwrap().map(|entry| entry.unwrap());
        let file = files.find(|file| {
            let name = file.file_name().into_string().unwrap();
            !name.ends_with(".crdownload") && !name.starts_with('.') && file.metadata().unwrap().len() > 0
        });
        file.map(|file| file.path())
    };
    for _ in 0..100 {
        if let Some(file) = whole() {
            return file;
        }
        sleep(Duration::from_millis(100));
    }
    panic!(
        "no checkpoint came; the page says {}",
        browser.run("return document.getElementById('message').innerText")
    );
}
