//! Bits as base64 in JSON.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Bytes that JSON writes as base64, with padding.
#[derive(Clone, PartialEq, Eq)]
pub struct Bits(pub Vec<u8>);

impl fmt::Debug for Bits {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Bits({} bytes)", self.0.len())
    }
}

impl Serialize for Bits {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&BASE64_STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bits {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Bits, D::Error> {
        struct Base64;
        impl Visitor<'_> for Base64 {
            type Value = Bits;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("bits as base64 with padding")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Bits, E> {
                BASE64_STANDARD.decode(text).map(Bits).map_err(|error| E::custom(format!("bits: {error}")))
            }
        }
        from.deserialize_str(Base64)
    }
}
