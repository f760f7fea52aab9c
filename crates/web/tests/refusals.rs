//! Who is not let in, over the wire. What counts as what is tested in `src/guard.rs`.

mod common;

use common::{LIGHT, Page, http, serve, token};

#[test]
fn no_line_without_the_token_or_from_elsewhere() {
    let (server, _service) = serve(LIGHT);
    let own = format!("http://127.0.0.1:{}", server.port());
    let right = token(&server);
    let wrong = right.chars().rev().collect::<String>();
    for (token, origin, expected) in [
        (wrong.as_str(), Some(own.as_str()), "the token"),
        ("", Some(&own), "the token"),
        (&right, Some("http://evil.example"), "other pages"),
        (&right, Some("null"), "other pages"),
        (&right, None, "other pages"),
    ] {
        let refused = Page::connect(&server, token, origin).err();
        let (status, text) = refused.unwrap_or_else(|| panic!("{token} {origin:?} came in"));
        assert_eq!(status, 403);
        assert!(text.contains(expected), "{text}");
    }
    assert!(Page::connect(&server, &right, Some(&own)).is_ok());
}

#[test]
fn no_page_without_the_token_or_under_another_name() {
    let (server, _service) = serve(LIGHT);
    let host = format!("127.0.0.1:{}", server.port());
    let with_token = format!("/?token={}", token(&server));
    for (path, headers, expected) in [
        (with_token.as_str(), &[("Host", host.as_str())][..], "200 OK"),
        ("/", &[("Host", &host)], "403 Forbidden"),
        ("/?token=0", &[("Host", &host)], "403 Forbidden"),
        (&with_token, &[("Host", "evil.example")], "403 Forbidden"),
        (&with_token, &[("Host", &host), ("Origin", "http://evil.example")], "403 Forbidden"),
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
    for path in [format!("/?token={}", token(&server)), "/".into(), "/assets/x".into()] {
        let answer = http(&server, &path, &[("Host", &host)]).to_lowercase();
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
fn a_reload_without_the_token_works_where_the_page_was_opened() {
    let (server, _service) = serve(LIGHT);
    let host = format!("127.0.0.1:{}", server.port());
    let first = http(&server, &format!("/?token={}", token(&server)), &[("Host", &host)]);
    let cookie = first.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    let again = http(&server, "/", &[("Host", &host), ("Cookie", cookie)]);
    assert!(again.starts_with("HTTP/1.1 200"), "{again}");
}

#[test]
fn a_ticket_leads_to_the_page_once() {
    let (server, _service) = serve(LIGHT);
    let host = format!("127.0.0.1:{}", server.port());
    let path = |url: String| url.split_once(&host).unwrap().1.to_owned();
    let refused = |path: &str, headers: &[(&str, &str)]| {
        let answer = http(&server, path, headers);
        assert!(answer.starts_with("HTTP/1.1 403"), "{path} {headers:?} {answer}");
    };
    // Nobody has been given one yet.
    refused("/open", &[("Host", &host)]);
    refused("/open?ticket=", &[("Host", &host)]);
    let ticket = path(server.url_for_once().unwrap());
    assert!(!ticket.contains(&token(&server)));
    refused("/open?ticket=0", &[("Host", &host)]);
    refused(&ticket, &[("Host", "evil.example")]);
    let answer = http(&server, &ticket, &[("Host", &host)]);
    let to = answer.lines().find_map(|line| line.strip_prefix("location: "));
    assert_eq!(to, Some(path(server.url()).as_str()), "{answer}");
    refused(&ticket, &[("Host", &host)]);
}

#[test]
fn nobody_else_on_the_network_gets_as_far_as_that() {
    let (server, _service) = serve(LIGHT);
    // Another address of this machine's own, as the nearest thing to another machine.
    let found = std::net::TcpStream::connect(("127.0.0.2", server.port()));
    assert!(found.is_err(), "it listens on 127.0.0.1 and nothing else");
}
