//! Who is not let in, over the wire. What counts as what is tested in `src/guard.rs`.

use crate::common;

use common::{LIGHT, Page, http, serve, token};

#[test]
fn no_line_without_the_token_or_from_elsewhere() {
    let (server, _service) = serve(LIGHT);
    let own = format!("http://127.0.0.1:{}", server.port());
    let right = token(&server);
    let wrong = right.chars().rev().collect::<String>();
    for (token, origin, number, expected) in [
        (wrong.as_str(), Some(own.as_str()), 4403, "the token"),
        ("", Some(&own), 4403, "the token"),
        (&right, Some("http://evil.example"), 403, "other pages"),
        (&right, Some("null"), 403, "other pages"),
        (&right, None, 403, "other pages"),
    ] {
        let refused = Page::connect(&server, token, origin).err();
        let (found, text) = refused.unwrap_or_else(|| panic!("{token} {origin:?} came in"));
        assert_eq!(found, number, "{text}");
        assert!(text.contains(expected), "{text}");
    }
    assert!(Page::connect(&server, &right, Some(&own)).is_ok());
}

#[test]
fn the_token_is_said_on_the_line_and_nowhere_else() {
    let (server, _service) = serve(LIGHT);
    let host = format!("127.0.0.1:{}", server.port());
    let origin = format!("http://{host}");
    let token = token(&server);
    let cookie = format!("mw-{}={token}", server.port());
    let asked = [
        ("Host", host.as_str()),
        ("Origin", &origin),
        ("Cookie", &cookie),
        ("Connection", "Upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    for path in ["/ws".into(), format!("/ws?token={token}"), format!("/ws#token={token}")] {
        let answer = http(&server, &path, &asked);
        assert!(!answer.contains("hello"), "{path} {answer}");
    }
    // Nor does a browser get anything to keep.
    for path in ["/", &format!("/?token={token}"), "/open", "/open?ticket=0"] {
        let answer = http(&server, path, &[("Host", &host)]).to_lowercase();
        assert!(!answer.contains("set-cookie") && !answer.contains(&token), "{path} {answer}");
    }
}

#[test]
fn no_page_under_another_name_or_inside_another_page() {
    let (server, _service) = serve(LIGHT);
    let host = format!("127.0.0.1:{}", server.port());
    for (path, headers, expected) in [
        ("/", &[("Host", host.as_str())][..], "200 OK"),
        ("/", &[("Host", "evil.example")], "403 Forbidden"),
        ("/", &[("Host", &host), ("Origin", "http://evil.example")], "403 Forbidden"),
        ("/assets/x.js", &[("Host", "evil.example")], "403 Forbidden"),
        ("/assets/x.js", &[("Host", &host), ("Sec-Fetch-Site", "cross-site")], "403 Forbidden"),
        ("/assets/x.js", &[("Host", &host)], "404 Not Found"),
        ("/ws", &[("Host", &host)], "403 Forbidden"),
    ] {
        let answer = http(&server, path, headers);
        assert!(answer.starts_with(&format!("HTTP/1.1 {expected}")), "{path} {headers:?} {answer}");
    }
}

#[test]
fn everything_comes_with_a_strict_policy() {
    let (server, _service) = serve(LIGHT);
    let host = format!("127.0.0.1:{}", server.port());
    for path in ["/", "/assets/x", "/ws"] {
        let answer = http(&server, path, &[("Host", &host)]).to_lowercase();
        for expected in [
            "content-security-policy: default-src 'none'; script-src 'self';",
            "frame-ancestors vscode-webview: vscode-file:\r\n",
            "x-content-type-options: nosniff\r\n",
            "referrer-policy: no-referrer\r\n",
            "cross-origin-resource-policy: same-origin\r\n",
        ] {
            assert!(answer.contains(expected), "{path} lacks {expected}: {answer}");
        }
        assert!(!answer.contains("unsafe-"), "{answer}");
        assert!(!answer.contains("access-control-allow-origin"), "{answer}");
    }
}

#[test]
fn nobody_else_on_the_network_gets_as_far_as_that() {
    let (server, _service) = serve(LIGHT);
    // Another address of this machine's own, as the nearest thing to another machine.
    let found = std::net::TcpStream::connect(("127.0.0.2", server.port()));
    assert!(found.is_err(), "it listens on 127.0.0.1 and nothing else");
}
