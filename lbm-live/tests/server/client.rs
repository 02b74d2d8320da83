//! Clients of the tests: a WebSocket without a page, and plain requests.

use std::net::TcpStream;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use lbm_live::{Ended, Error, Flow, Live, Stop};
use serde_json::Value;
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{HandshakeError, Message, WebSocket};

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(20);

/// A flow that runs on a thread of its own.
pub struct Running<F> {
    pub url: String,
    pub port: u16,
    pub token: String,
    pub stop: Stop,
    thread: JoinHandle<Result<Ended<F>, Error>>,
}

impl<F: Flow + Send + 'static> Running<F> {
    pub fn start(live: Live<F>) -> Running<F> {
        let bound = live.listen("127.0.0.1:0".parse().unwrap()).bind().unwrap();
        let url = bound.url().to_owned();
        let token = url.split_once("token=").unwrap().1.to_owned();
        let (port, stop) = (bound.address().port(), bound.stop());
        assert_eq!(url, format!("http://127.0.0.1:{port}/?token={token}"));
        let thread = thread::spawn(move || bound.run());
        Running { url, port, token, stop, thread }
    }

    /// Waits until it ends by itself.
    pub fn wait(self) -> Result<Ended<F>, Error> {
        self.thread.join().unwrap()
    }

    /// Ends it.
    pub fn end(self) -> Ended<F> {
        self.stop.stop();
        self.wait().unwrap()
    }

    pub fn at(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub fn with_token(&self, path: &str) -> String {
        format!("{}?token={}", self.at(path), self.token)
    }

    pub fn viewer(&self) -> Viewer {
        self.socket(&self.token, &[]).unwrap()
    }

    /// Opens a socket with other headers; the status if it is refused.
    pub fn socket(&self, token: &str, headers: &[(&'static str, &str)]) -> Result<Viewer, u16> {
        Viewer::open(self.port, token, headers)
    }
}

/// A binary picture, taken apart.
#[derive(Clone, Debug)]
pub struct Shown {
    pub field: u8,
    pub size: [u16; 2],
    pub step: u64,
    pub floats: Vec<f32>,
    pub body: Vec<u8>,
}

pub fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap())
}

pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

impl Shown {
    /// A picture (kind 1, six floats) or a mask (kind 2, four).
    pub fn read(bytes: &[u8], kind: u8, floats: usize) -> Option<Shown> {
        if bytes[0] != kind {
            return None;
        }
        assert_eq!(u16_at(bytes, 6), 0);
        let body = 16 + 4 * floats;
        let parts = bytes[16..body].chunks(4).map(|part| f32::from_le_bytes(part.try_into().unwrap()));
        Some(Shown {
            field: bytes[1],
            size: [u16_at(bytes, 2), u16_at(bytes, 4)],
            step: u64_at(bytes, 8),
            floats: parts.collect(),
            body: bytes[body..].to_vec(),
        })
    }
}

/// A WebSocket to a flow.
pub struct Viewer {
    pub socket: WebSocket<TcpStream>,
}

impl Viewer {
    /// Opens a socket with other headers; the status if it is refused.
    pub fn open(port: u16, token: &str, headers: &[(&'static str, &str)]) -> Result<Viewer, u16> {
        let mut request =
            format!("ws://127.0.0.1:{port}/socket?token={token}").into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, HeaderValue::from_str(value).unwrap());
        }
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Viewer { socket }),
            Err(HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                Err(response.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    pub fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// Reads until something is found in a message.
    pub fn until<T>(&mut self, mut find: impl FnMut(&Message) -> Option<T>) -> T {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(found) = find(&self.socket.read().unwrap()) {
                return found;
            }
        }
        panic!("it did not come in {PATIENCE:?}");
    }

    /// Reads until a text of this type for which the condition holds.
    pub fn text(&mut self, kind: &str, condition: impl Fn(&Value) -> bool) -> Value {
        self.until(|message| {
            let Message::Text(text) = message else { return None };
            let value: Value = serde_json::from_str(text).unwrap();
            (value["type"] == kind && condition(&value)).then_some(value)
        })
    }

    pub fn status(&mut self, condition: impl Fn(&Value) -> bool) -> Value {
        self.text("status", condition)
    }

    /// What it shows to load a checkpoint.
    pub fn key(&mut self) -> String {
        self.text("key", |_| true)["key"].as_str().unwrap().to_owned()
    }

    pub fn refused(&mut self) -> String {
        self.text("refused", |_| true)["message"].as_str().unwrap().to_owned()
    }

    pub fn picture(&mut self, condition: impl Fn(&Shown) -> bool) -> Shown {
        self.frame(1, 6, condition)
    }

    pub fn mask(&mut self, condition: impl Fn(&Shown) -> bool) -> Shown {
        self.frame(2, 4, condition)
    }

    fn frame(&mut self, kind: u8, floats: usize, condition: impl Fn(&Shown) -> bool) -> Shown {
        self.until(|message| {
            let Message::Binary(bytes) = message else { return None };
            Shown::read(bytes, kind, floats).filter(|shown| condition(shown))
        })
    }
}

/// Sends a checkpoint as who has this key does; the status and the text.
pub fn load<F>(running: &Running<F>, key: &str, checkpoint: &[u8]) -> (u16, String) {
    let url = format!("http://127.0.0.1:{}/checkpoint?token={}", running.port, running.token);
    let (status, _, text) = request("POST", &url, &[("x-lbm-key", key)], checkpoint);
    (status, String::from_utf8(text).unwrap())
}

/// Sends a plain request; the status, the headers as text, and the body.
pub fn request(method: &str, url: &str, headers: &[(&str, &str)], body: &[u8]) -> (u16, String, Vec<u8>) {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let mut request = ureq::http::Request::builder().method(method).uri(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut response = agent.run(request.body(body).unwrap()).unwrap();
    let headers =
        response.headers().iter().map(|(name, value)| format!("{name}: {}\n", value.to_str().unwrap()));
    let headers = headers.collect();
    (response.status().as_u16(), headers, response.body_mut().read_to_vec().unwrap())
}
