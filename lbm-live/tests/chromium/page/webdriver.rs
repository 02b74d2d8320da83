//! A headless Chromium, driven by the WebDriver protocol of chromedriver.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use base64::Engine;
use serde_json::{Value, json};

/// How long a condition of the page may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A browser with one page. Dropped, it ends.
pub struct Browser {
    driver: Child,
    session: String,
    agent: ureq::Agent,
}

impl Browser {
    /// Starts a browser that downloads into a folder; says why not where there is none.
    pub fn start(downloads: &Path) -> Result<Browser, String> {
        let name = env::var("LBM_CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".to_owned());
        let mut driver = Command::new(&name)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{name} cannot be started: {error}"))?;
        let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(60)))
            .build()
            .into();
        let session = format!("http://127.0.0.1:{}/session", port.unwrap_or(0));
        let mut browser = Browser { driver, session, agent };
        if port.is_none() {
            return Err(format!("{name} names no port"));
        }
        let arguments = [
            "--headless=new",
            "--window-size=1400,1100",
            "--hide-scrollbars",
            "--disable-dev-shm-usage",
            // WebGL without a GPU.
            "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader",
            // Root has no sandbox; the page is ours.
            "--no-sandbox",
        ];
        let downloads = downloads.to_str().ok_or("the folder of downloads has a strange name")?;
        let capabilities = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": arguments, "prefs": {"download.default_directory": downloads}},
        }}});
        let answer = browser.call("POST", "", &capabilities)?;
        let id = answer["sessionId"].as_str().ok_or("a session without name")?;
        browser.session = format!("{}/{id}", browser.session);
        Ok(browser)
    }

    /// Opens a page.
    pub fn open(&self, url: &str) {
        self.call("POST", "/url", &json!({"url": url})).unwrap();
    }

    /// What a script returns.
    pub fn run(&self, script: &str) -> Value {
        self.call("POST", "/execute/sync", &json!({"script": script, "args": []})).unwrap()
    }

    /// Waits until an expression is true.
    pub fn until(&self, expression: &str) {
        let start = Instant::now();
        while self.run(&format!("return !!({expression})")) != true {
            if start.elapsed() > PATIENCE {
                let message = self.run("return document.getElementById('message')?.innerText");
                panic!(
                    "`{expression}` does not come true; the page says {message}; log: {:?}",
                    self.errors()
                );
            }
            sleep(Duration::from_millis(50));
        }
    }

    /// Moves the mouse along places on the screen with a button down: 0 is the left, 2 the right one.
    pub fn drag(&self, button: u8, places: &[[f64; 2]]) {
        let go =
            |[x, y]: [f64; 2]| json!({"type": "pointerMove", "duration": 60, "x": x.round(), "y": y.round()});
        let mut actions = vec![go(places[0]), json!({"type": "pointerDown", "button": button})];
        actions.extend(places[1..].iter().copied().map(go));
        actions.push(json!({"type": "pointerUp", "button": button}));
        let mouse = json!({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions});
        self.call("POST", "/actions", &json!({"actions": [mouse]})).unwrap();
    }

    /// Clicks on an element, at a part of its width.
    pub fn click(&self, selector: &str, part: f64) {
        let place = self.run(&format!(
            "const element = document.querySelector('{selector}'); element.scrollIntoView({{block: 'nearest'}});
             const box = element.getBoundingClientRect();
             return [box.left + {part} * box.width, box.top + box.height / 2]"
        ));
        let place = [0, 1].map(|at| place[at].as_f64().unwrap());
        self.drag(0, &[place]);
    }

    /// Chooses a file in an input for files.
    pub fn choose(&self, selector: &str, file: &Path) {
        let element = json!({"using": "css selector", "value": selector});
        let element = self.call("POST", "/element", &element).unwrap();
        let id = element.as_object().and_then(|names| names.values().next()?.as_str()).unwrap();
        self.call("POST", &format!("/element/{id}/value"), &json!({"text": file})).unwrap();
    }

    /// A picture of the page, as PNG.
    pub fn screenshot(&self) -> Vec<u8> {
        let text = self.call("GET", "/screenshot", &Value::Null).unwrap();
        base64::prelude::BASE64_STANDARD.decode(text.as_str().unwrap()).unwrap()
    }

    /// Errors and warnings of the console since the last time.
    pub fn errors(&self) -> Vec<String> {
        let log = self.call("POST", "/se/log", &json!({"type": "browser"})).unwrap();
        let entries = log.as_array().cloned().unwrap_or_default();
        let bad = entries.into_iter().filter(|entry| entry["level"] == "SEVERE");
        bad.map(|entry| entry["message"].to_string()).collect()
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.session))
            .header("content-type", "application/json")
            .body(body)
            .map_err(|error| error.to_string())?;
        let mut response = self.agent.run(request).map_err(|error| format!("{path}: {error}"))?;
        let good = response.status().is_success();
        // A screenshot is larger than what is read without a limit.
        let text = response.body_mut().with_config().limit(64 << 20).read_to_string();
        let text = text.map_err(|error| format!("{path}: {error}"))?;
        let mut value: Value = serde_json::from_str(&text).map_err(|error| format!("{path}: {error}"))?;
        if good { Ok(value["value"].take()) } else { Err(format!("{path}: {}", value["value"]["message"])) }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Ends Chromium, then its driver.
        let _ = self.call("DELETE", "", &Value::Null);
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
