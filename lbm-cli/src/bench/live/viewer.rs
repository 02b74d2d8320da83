//! A viewer without a page: a WebSocket that asks for pictures and knows when one shows a change.

use std::io::Read;
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use flate2::read::ZlibDecoder;
use lbm_core::Error;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// The longest wait for what must come.
const PATIENCE: Duration = Duration::from_secs(20);

/// Bytes of a mask's head: what it is of, and its region.
const MASK_HEAD: usize = 16 + 4 * 4;

/// What came.
pub(super) enum Seen {
    /// A picture of so many bytes.
    Picture(usize),
    /// Where the pictures from now on are solid: the viewer keeps it.
    Mask,
    /// Something was not done, and why.
    Refused(String),
    /// The flow stopped, and why.
    Fault(String),
    /// Numbers, or particles.
    Other,
}

/// Where a picture is solid: a bit a pixel.
pub(super) struct Mask {
    width: usize,
    height: usize,
    bits: Vec<u8>,
}

/// A viewer.
pub(super) struct Viewer {
    socket: WebSocket<TcpStream>,
    /// Where pictures are solid, once it was said.
    mask: Option<Mask>,
    /// What the flow says of itself.
    pub(super) about: Value,
}

impl Viewer {
    /// Connects to the server of an address, whose page has this URL, and reads what the flow is.
    pub(super) fn connect(address: SocketAddr, url: &str) -> Result<Viewer, Error> {
        let stream = TcpStream::connect(address).map_err(failed)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        let token = url.split_once('?').map_or("", |(_, token)| token);
        let socket = tungstenite::client(format!("ws://{address}/socket?{token}"), stream);
        let (socket, _) = socket.map_err(failed)?;
        let mut viewer = Viewer { socket, mask: None, about: Value::Null };
        while viewer.about.is_null() {
            let message = viewer.read()?;
            viewer.about = text(&message).filter(|value| value["type"] == "about").unwrap_or_default();
        }
        Ok(viewer)
    }

    /// Nodes of the flow along x, y, z.
    pub(super) fn size(&self) -> [usize; 3] {
        std::array::from_fn(|axis| self.about["size"][axis].as_u64().unwrap_or(1) as usize)
    }

    /// Asks for pictures of so many pixels of a whole slice across z.
    pub(super) fn look(&mut self, [width, height]: [usize; 2], slice: usize) -> Result<(), Error> {
        let [nx, ny, _] = self.size();
        self.say(&json!({
            "type": "view", "field": "speed", "region": [0, 0, nx, ny], "width": width, "height": height,
            "axis": 2, "slice": slice, "range": null, "particles": false,
        }))
    }

    /// Draws or erases a disc.
    pub(super) fn draw(&mut self, centre: [f64; 2], radius: f64, solid: bool) -> Result<(), Error> {
        let shape = json!({ "kind": "circle", "centre": centre, "radius": radius });
        self.say(&json!({ "type": "draw", "shape": shape, "solid": solid }))
    }

    fn say(&mut self, message: &Value) -> Result<(), Error> {
        self.socket.send(Message::text(message.to_string())).map_err(failed)
    }

    fn read(&mut self) -> Result<Message, Error> {
        // Pings are answered on the way.
        self.socket.read().map_err(failed)
    }

    /// Waits for the next message.
    pub(super) fn next(&mut self) -> Result<Seen, Error> {
        let message = self.read()?;
        if let Message::Binary(bytes) = &message {
            return Ok(match bytes.first() {
                Some(1) => Seen::Picture(bytes.len()),
                Some(2) => match Mask::read(bytes) {
                    Some(mask) => {
                        self.mask = Some(mask);
                        Seen::Mask
                    }
                    None => Seen::Other,
                },
                _ => Seen::Other,
            });
        }
        let said = |value: &Value| value["message"].as_str().unwrap_or_default().to_owned();
        Ok(match text(&message) {
            // In three dimensions a disc ends where nodes stay free before faces: that it is not whole changes no figure.
            Some(value) if value["type"] == "refused" && value["partly"] != true => {
                Seen::Refused(said(&value))
            }
            Some(value) if value["type"] == "fault" => Seen::Fault(said(&value)),
            _ => Seen::Other,
        })
    }

    /// The next message; what was not done is an error.
    pub(super) fn next_done(&mut self) -> Result<Seen, Error> {
        match self.next()? {
            Seen::Refused(why) | Seen::Fault(why) => Err(Error::conflict(
                format!("the flow did not do what the viewer asked for: {why}"),
                "take another case, or a larger size",
            )),
            seen => Ok(seen),
        }
    }

    /// Whether the last picture shows a place as solid, which is given as shares of the slice along x and y; nothing before the first one.
    pub(super) fn shows_solid(&self, share: [f64; 2]) -> Option<bool> {
        self.mask.as_ref().map(|mask| mask.is_solid(share))
    }

    /// Waits for a mask that shows a place as solid, or not, and then for its picture.
    pub(super) fn until_solid(&mut self, share: [f64; 2], solid: bool) -> Result<(), Error> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            match self.next_done()? {
                Seen::Picture(_) if self.shows_solid(share) == Some(solid) => return Ok(()),
                _ => {}
            }
        }
        Err(failed(format!("no picture shows the change within {PATIENCE:?}")))
    }
}

impl Mask {
    /// Takes a frame apart: its head, then bits compressed by zlib, the row of the largest y first.
    fn read(bytes: &[u8]) -> Option<Mask> {
        let [width, height] = [2, 4].map(|at| {
            let side = bytes.get(at..at + 2)?.try_into().ok()?;
            Some(usize::from(u16::from_le_bytes(side)))
        });
        let (width, height) = (width?, height?);
        let mut bits = Vec::new();
        ZlibDecoder::new(bytes.get(MASK_HEAD..)?).read_to_end(&mut bits).ok()?;
        (bits.len() == width.div_ceil(8) * height).then_some(Mask { width, height, bits })
    }

    /// Whether the pixel is solid that shows a place, which is given as shares of the slice along x and y.
    pub(super) fn is_solid(&self, share: [f64; 2]) -> bool {
        let at = |share: f64, pixels: usize| ((share * pixels as f64) as usize).min(pixels - 1);
        let (x, y) = (at(share[0], self.width), self.height - 1 - at(share[1], self.height));
        self.bits[y * self.width.div_ceil(8) + x / 8] >> (7 - x % 8) & 1 == 1
    }
}

fn text(message: &Message) -> Option<Value> {
    let Message::Text(text) = message else { return None };
    serde_json::from_str(text).ok()
}

/// What went wrong between viewer and server.
fn failed(error: impl std::fmt::Display) -> Error {
    Error::conflict(
        format!("the viewer of `lbm bench live` lost the flow: {error}"),
        "see whether connections to 127.0.0.1 are possible here",
    )
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_mask_is_taken_apart() {
        let mut bytes = vec![2, 0];
        [10u16, 3, 0].iter().for_each(|side| bytes.extend(side.to_le_bytes()));
        bytes.extend([0; 24]);
        let mut zlib = flate2::write::ZlibEncoder::new(bytes, flate2::Compression::fast());
        // The top row is empty, the middle one has the pixel of number 9, the lowest that of number 1.
        zlib.write_all(&[0, 0, 0, 0b0100_0000, 0b0100_0000, 0]).unwrap();
        let frame = zlib.finish().unwrap();
        let mask = Mask::read(&frame).unwrap();
        assert!(mask.is_solid([0.15, 0.1]) && mask.is_solid([0.99, 0.5]) && mask.is_solid([1.0, 0.4]));
        assert!(!mask.is_solid([0.15, 0.9]) && !mask.is_solid([0.05, 0.1]) && !mask.is_solid([0.99, 0.1]));
        assert!(Mask::read(&frame[..frame.len() - 9]).is_none() && Mask::read(&frame[..9]).is_none());
    }
}
