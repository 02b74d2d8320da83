//! Who is answered: tokens, hosts, origins, cookies, headers.

use lbm_live::{Error, Live};

use crate::client::{Running, request};
use crate::toy::Toy;

fn running() -> Running<Toy> {
    Running::start(Live::new(Toy::new(16, 8)))
}

fn get(url: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let (status, headers, _) = request("GET", url, headers, b"");
    (status, headers)
}

#[test]
fn the_token_opens_everything_and_nothing_opens_without() {
    let running = running();
    for path in ["/", "/main.js", "/live.css", "/checkpoint"] {
        assert_eq!(get(&running.with_token(path), &[]).0, 200, "{path}");
        assert_eq!(get(&running.at(path), &[]).0, 403, "{path}");
        let wrong = format!("{}?token={}", running.at(path), "0".repeat(32));
        assert_eq!(get(&wrong, &[]).0, 403, "{path}");
    }
    assert_eq!(get(&running.with_token("/unknown"), &[]).0, 404);
    assert_eq!(get(&running.at("/unknown"), &[]).0, 403);
    let (status, _, text) = request("POST", &running.at("/checkpoint"), &[], b"x");
    assert!(status == 403 && text.starts_with(b"The token is missing"), "{text:?}");
    let token = &running.token;
    for wrong in ["", "0", &token[1..], &format!("{token}0"), &token.to_uppercase().replace('A', "a")] {
        if wrong != token {
            assert_eq!(running.socket(wrong, &[]).err(), Some(403), "{wrong}");
        }
    }
    assert!(running.socket(token, &[]).is_ok());
    running.end();
}

#[test]
fn other_hosts_are_refused() {
    let running = Running::start(Live::new(Toy::new(16, 8)).host("127.0.0.1").host("flow.example.org"));
    let port = running.port;
    for host in [
        "localhost".to_owned(),
        format!("localhost:{port}"),
        "[::1]:9000".to_owned(),
        "flow.example.org".to_owned(),
    ] {
        assert_eq!(get(&running.with_token("/"), &[("host", &host)]).0, 200, "{host}");
    }
    for host in
        ["example.org".to_owned(), format!("example.org:{port}"), format!("127.0.0.1.example.org:{port}")]
    {
        assert_eq!(get(&running.with_token("/"), &[("host", &host)]).0, 403, "{host}");
        assert_eq!(running.socket(&running.token, &[("host", &host)]).err(), Some(403), "{host}");
    }
    running.end();
}

#[test]
fn other_origins_are_refused() {
    let running = running();
    let own = format!("http://127.0.0.1:{}", running.port);
    assert!(running.socket(&running.token, &[("origin", &own)]).is_ok());
    for origin in ["http://example.org", "null", "http://127.0.0.1", &own.replace("http", "ftp")] {
        assert_eq!(running.socket(&running.token, &[("origin", origin)]).err(), Some(403), "{origin}");
        let load = request("POST", &running.with_token("/checkpoint"), &[("origin", origin)], b"x");
        assert!(load.0 == 403 && load.2.starts_with(b"Pages of another origin"), "{origin}: {load:?}");
    }
    running.end();
}

#[test]
fn the_cookie_opens_files_of_the_page_only() {
    let running = running();
    let (_, headers) = get(&running.url, &[]);
    let cookie = headers.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
    assert!(!cookie.contains(&running.token), "a cookie goes to all ports of a host: it is not the token");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(get(&running.at("/main.js"), &[("cookie", cookie)]).0, 200);
    assert_eq!(get(&running.at("/main.js"), &[("cookie", &format!("a=b; {cookie}"))]).0, 200);
    assert_eq!(get(&running.at("/main.js"), &[("cookie", &format!("{cookie}0"))]).0, 403);
    for path in ["/", "/checkpoint", "/socket"] {
        assert_eq!(get(&running.at(path), &[("cookie", cookie)]).0, 403, "{path}");
    }
    assert_eq!(running.socket("", &[("cookie", cookie)]).err(), Some(403));
    let (_, headers) = get(&running.at("/"), &[]);
    assert!(!headers.contains("set-cookie"), "who is refused gets none: {headers}");
    running.end();
}

#[test]
fn every_answer_has_the_headers_of_security() {
    let running = running();
    for url in
        [running.url.clone(), running.at("/"), running.with_token("/main.js"), running.with_token("/no")]
    {
        let (_, headers) = get(&url, &[]);
        for line in [
            "content-security-policy: default-src 'self'; connect-src 'self'; img-src 'self' blob: data:; \
             object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "x-frame-options: DENY",
            "referrer-policy: no-referrer",
            "cache-control: no-store",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert!(headers.lines().any(|found| found == line), "{url} lacks {line}: {headers}");
        }
        assert!(!headers.contains("access-control"), "{headers}");
    }
    let (_, headers) = get(&running.with_token("/main.js"), &[]);
    assert!(headers.contains("content-type: text/javascript"), "{headers}");
    running.end();
}

#[test]
fn what_cannot_start_says_why() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let error = Live::new(Toy::new(4, 4)).listen(address).bind().err().unwrap();
    assert!(matches!(&error, Error::Listen { .. }), "{error}");
    assert!(error.to_string().contains("give a free port"), "{error}");
    let any = "127.0.0.1:0".parse().unwrap();
    let error = Live::new(Toy::new(4, 4)).listen(any).host("http://a").bind().err().unwrap();
    assert!(matches!(&error, Error::Host { .. }), "{error}");
    let error = Live::new(Toy::new(0, 4)).listen(any).bind().err().unwrap();
    assert!(matches!(&error, Error::About(_)), "{error}");
}
