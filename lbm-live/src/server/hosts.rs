//! By which names the server may be called: what keeps pages of other hosts away, also when their names lead here.

use std::net::IpAddr;

use axum::http::uri::Authority;

use crate::error::Error;

/// The names of the loopback.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Host names without ports: a port that ssh forwards may have another number here than there.
pub(super) struct Hosts {
    first: String,
    names: Vec<String>,
}

impl Hosts {
    /// The loopback, the address that is listened on, and names that were given.
    pub(super) fn new(address: IpAddr, given: Vec<String>) -> Result<Hosts, Error> {
        for name in &given {
            let letters = |letter: char| letter.is_ascii_alphanumeric() || "-._[:]".contains(letter);
            let plain = name.chars().all(letters);
            let host = name.parse::<Authority>().ok().map(|authority| authority.host() == name);
            if !plain || host != Some(true) {
                return Err(Error::Host { name: name.clone() });
            }
        }
        let own = match address {
            address if address.is_unspecified() => None,
            IpAddr::V4(address) => Some(address.to_string()),
            IpAddr::V6(address) => Some(format!("[{address}]")),
        };
        let first = given.first().or(own.as_ref()).map_or(LOOPBACK[1], |name| name).to_owned();
        let names = given.into_iter().chain(own).chain(LOOPBACK.map(str::to_owned)).collect();
        Ok(Hosts { first, names })
    }

    /// The name for the URL.
    pub(super) fn first(&self) -> &str {
        &self.first
    }

    /// Whether a request's `Host` is one of the names.
    pub(super) fn allow(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        !host.contains('@') && self.names.iter().any(|name| name.eq_ignore_ascii_case(authority.host()))
    }
}

/// Whether a request's `Origin` is a page of this `Host`.
pub(super) fn same_origin(origin: &str, host: &str) -> bool {
    // A proxy may speak TLS in front of the server.
    let of = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    of.is_some_and(|of| of.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, Ipv6Addr};

    #[test]
    fn only_known_names_are_allowed() {
        let hosts =
            Hosts::new(Ipv4Addr::new(192, 0, 2, 7).into(), vec!["flow.example.org".to_owned()]).unwrap();
        for host in
            ["localhost:1", "LOCALHOST", "127.0.0.1:8080", "[::1]:80", "192.0.2.7:80", "Flow.example.org:9"]
        {
            assert!(hosts.allow(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "localhost.example.org",
            "localhost:1@example.org",
            "x@localhost",
            "127.0.0.2",
            "[::2]",
            "localhost/",
        ] {
            assert!(!hosts.allow(host), "{host}");
        }
        assert_eq!(hosts.first(), "flow.example.org");
    }

    #[test]
    fn the_url_has_a_name_that_leads_here() {
        let first =
            |address: IpAddr| Hosts::new(address, Vec::new()).map(|hosts| hosts.first().to_owned()).unwrap();
        assert_eq!(first(Ipv4Addr::UNSPECIFIED.into()), "127.0.0.1");
        assert_eq!(first(Ipv6Addr::LOCALHOST.into()), "[::1]");
    }

    #[test]
    fn wrong_names_are_refused() {
        for name in ["", "http://a", "a:80", "a/b", "a b", "a@b"] {
            let hosts = Hosts::new(Ipv4Addr::LOCALHOST.into(), vec![name.to_owned()]);
            assert!(hosts.is_err(), "{name}");
        }
    }

    #[test]
    fn origins_are_compared_with_their_port() {
        assert!(same_origin("http://localhost:8080", "localhost:8080"));
        assert!(same_origin("https://Flow.example.org", "flow.example.org"));
        for origin in [
            "null",
            "",
            "http://localhost",
            "http://localhost:80801",
            "ftp://localhost:8080",
            "localhost:8080",
        ] {
            assert!(!same_origin(origin, "localhost:8080"), "{origin}");
        }
    }
}
