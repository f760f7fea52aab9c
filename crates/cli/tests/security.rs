//! Attacks on the real binary: by other users of this machine, by web pages, by programs that
//! somebody made to be debugged. What is trusted with what is written in `docs/security.md`.
#![cfg(target_os = "linux")] // For limits on open files, modes, and a browser that is none.

use std::fs::Permissions;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use mw_dap::codec;
use serde_json::{Value, json};

const MW: &str = env!("CARGO_BIN_EXE_mw");

fn example(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("examples").join(name).join(name).with_extension("wasm")
}

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a debugger with the page alone; returns the page's address and token.
fn serve(command: &mut Command) -> (Process, String, String) {
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = Process(child.expect("mw can be started"));
    let said = BufReader::new(child.0.stderr.take().expect("a pipe"));
    let url = said.lines().map_while(Result::ok).find_map(|line| {
        let (_, url) = line.split_once("http://")?;
        Some(url.trim().to_owned())
    });
    let url = url.expect("an address");
    let (address, token) = url.split_once("/#token=").expect("a token");
    (child, address.to_owned(), token.to_owned())
}

/// A page of a debugger, which answers requests.
fn open_page(address: &str, token: &str) -> impl FnMut(Value) -> Value + use<> {
    use tungstenite::client::IntoClientRequest;
    let mut request = format!("ws://{address}/ws").into_client_request().expect("an address");
    let headers = request.headers_mut();
    headers.insert("origin", format!("http://{address}").parse().expect("an origin"));
    let offered = format!("manyworlds, {token}");
    headers.insert("sec-websocket-protocol", offered.parse().expect("a header"));
    let stream = TcpStream::connect(address).expect("a connection");
    let (mut socket, _) = tungstenite::client(request, stream).expect("a line");
    move |request| {
        let message = json!({ "id": 1, "request": request }).to_string();
        socket.send(tungstenite::Message::text(message)).expect("mw listens");
        loop {
            let message = socket.read().expect("a message");
            let message: Value =
                serde_json::from_str(message.to_text().expect("text")).expect("JSON");
            if message["id"] == 1 {
                return message;
            }
        }
    }
}

/// More connections than there may be open files, none of which says anything to the point.
#[test]
fn idle_connections_do_not_end_the_page() {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 40; exec \"$0\" \"$@\"", MW, "debug", "--no-terminal"]);
    command.arg("--no-browser").arg(example("blink"));
    let (_debugger, address, token) = serve(&mut command);
    let strangers: Vec<TcpStream> = (0..60)
        .map(|index| {
            let mut stranger = TcpStream::connect(&address).expect("a connection");
            if index % 2 == 0 {
                stranger.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("it is taken");
            }
            stranger
        })
        .collect();
    // Behind all of them, once they have had their time;
    let here = open_page(&address, &token)(json!({ "request": "where" }));
    assert_eq!(here["reply"]["data"]["place"]["text"], "0.0");
    // and when they are gone.
    drop(strangers);
    let here = open_page(&address, &token)(json!({ "request": "where" }));
    assert_eq!(here["reply"]["data"]["place"]["text"], "0.0");
}

/// Other users see with which words a browser is started.
#[test]
fn a_browser_is_started_without_the_secret_in_its_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" > words\nstat -c %a \"$1\" > mode\n\
                  cat \"$1\" > content\nmv content done\n";
    std::fs::write(at("xdg-open"), script).expect("a script");
    std::fs::set_permissions(at("xdg-open"), Permissions::from_mode(0o755)).expect("a mode");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(MW);
    command.args(["debug", "--no-terminal"]).arg(example("blink")).current_dir(folder.path());
    command.env("PATH", format!("{}:{path}", folder.path().display())).env("DISPLAY", ":0");
    let (_debugger, address, token) = serve(&mut command);
    let seen = loop {
        match std::fs::read_to_string(at("done")) {
            Ok(seen) => break seen,
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let read = |name: &str| std::fs::read_to_string(at(name)).expect("what was seen");
    let words = read("words");
    assert!(!words.contains(&token) && !words.contains("ticket"), "{words}");
    assert_eq!(read("mode"), "600\n");
    assert!(seen.contains(&format!("http://{address}/#token={token}")), "{seen}");
    // It is there until the page has come in.
    let door = PathBuf::from(words.trim());
    assert!(door.exists());
    open_page(&address, &token)(json!({ "request": "where" }));
    assert!(!door.exists());
}

/// An adapter on a port, its address and its secret.
fn serve_editors() -> (Process, String, String) {
    let mut command = Command::new(MW);
    command.args(["dap", "--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = Process(command.spawn().expect("mw can be started"));
    let mut line = String::new();
    let mut said = BufReader::new(child.0.stdout.take().expect("a pipe"));
    said.read_line(&mut line).expect("a line");
    let line = line.trim().strip_prefix("listening on ").expect("an address");
    let (address, secret) = line.split_once(", secret ").expect("a secret");
    (child, address.to_owned(), secret.to_owned())
}

fn message(command: &str, arguments: &Value) -> Value {
    json!({ "seq": 1, "type": "request", "command": command, "arguments": arguments })
}

/// What a browser sends for a page of another origin: `fetch(port, { method: "POST", body })`.
#[test]
fn a_web_page_has_no_say_in_an_editors_port() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("started");
    let (_adapter, address, secret) = serve_editors();
    let device = format!("exec:touch {}", trace.display());
    let launch = json!({ "program": example("blink"), "device": device, "secret": secret });
    let mut body = Vec::new();
    for (command, arguments) in [("initialize", json!({})), ("launch", launch)] {
        codec::write(&mut body, &message(command, &arguments)).expect("bytes");
    }
    let alone = message("launch", &json!({ "program": example("blink"), "device": device }));
    // With a head of our own in the body, and with the head of HTTP as the only one.
    for body in [body, alone.to_string().into_bytes()] {
        let mut browser = TcpStream::connect(&address).expect("a connection");
        let head = format!(
            "POST / HTTP/1.1\r\nHost: {address}\r\nConnection: keep-alive\r\n\
             Content-Length: {}\r\nContent-Type: text/plain;charset=UTF-8\r\n\
             Origin: http://elsewhere.example\r\n\r\n",
            body.len()
        );
        browser.write_all(&[head.as_bytes(), &body].concat()).expect("it is taken");
        let mut answer = Vec::new();
        let _ = browser.read_to_end(&mut answer);
        assert_eq!(String::from_utf8_lossy(&answer), "", "nothing is said to it");
    }
    assert!(!trace.exists(), "nothing was started");
}

#[test]
fn an_editors_port_takes_the_secret_and_starts_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("started");
    let (_adapter, address, secret) = serve_editors();
    let mut editor = TcpStream::connect(&address).expect("a connection");
    let mut answers = BufReader::new(editor.try_clone().expect("a connection"));
    let mut ask = |command: &str, arguments: Value| {
        codec::write(&mut editor, &message(command, &arguments)).expect("mw listens");
        loop {
            let answer = codec::read(&mut answers).expect("messages").expect("an answer");
            if answer["type"] == "response" {
                return answer["message"].as_str().map(str::to_owned);
            }
        }
    };
    let mut expect = |command: &str, arguments: Value, expected: &str| {
        let said = ask(command, arguments).unwrap_or_default();
        let fits = if expected.is_empty() { said.is_empty() } else { said.contains(expected) };
        assert!(fits, "{command} {expected}: {said}");
        assert!(!trace.exists(), "nothing was started");
    };
    let program = example("blink");
    let device = format!("exec:touch {}", trace.display());
    let launch = json!({ "program": program, "secret": secret });
    expect("launch", launch.clone(), "the first request is `initialize`");
    expect("initialize", json!({}), "");
    expect("launch", json!({ "program": program }), "the `secret` is missing or wrong");
    let wrong = json!({ "program": program, "secret": "0".repeat(32), "device": device });
    expect("launch", wrong, "the `secret` is missing or wrong");
    let run = json!({ "expression": "where", "context": "repl" });
    expect("evaluate", run, "no program has been launched");
    let exec = json!({ "program": program, "secret": secret, "device": device });
    expect("launch", exec, "a port starts no programs");
    expect("launch", launch, "");
    let solver = folder.path().join("z3");
    std::fs::write(&solver, format!("#!/bin/sh\ntouch {}\n", trace.display())).expect("a file");
    std::fs::set_permissions(&solver, Permissions::from_mode(0o755)).expect("a mode");
    let line = format!("suggest solver {}", solver.display());
    expect("evaluate", json!({ "expression": line, "context": "repl" }), "may be used: none");
    expect("mw/suggest", json!({ "solver": solver }), "may be used: none");
}

/// A program whose source map names a file that is no source of it.
#[test]
fn a_program_reads_no_files_outside_of_its_folder() {
    const SECRET: &str = "correct horse battery staple";
    let place = tempfile::tempdir().expect("a folder");
    let secret = place.path().join("secret.txt");
    std::fs::write(&secret, SECRET).expect("a file");
    let folder = place.path().join("project");
    std::fs::create_dir(&folder).expect("a folder");
    std::os::unix::fs::symlink(&secret, folder.join("link.ts")).expect("a link");
    let program = r#"(module (@custom "sourceMappingURL" "\08evil.map")
        (func (export "main") (nop) (nop)))"#;
    std::fs::write(folder.join("evil.wat"), program).expect("a program");
    let named = [secret.to_str().expect("text"), "../secret.txt", "link.ts"];
    for (index, source) in named.into_iter().enumerate() {
        // Every byte of the program comes from the first line of that file.
        let mappings = format!("AAAA{}", ",CAAA".repeat(200));
        let map = json!({ "version": 3, "sources": [source], "names": [], "mappings": mappings });
        std::fs::write(folder.join("evil.map"), map.to_string()).expect("a map");
        let session = format!("evil-{index}.mw");
        let list = |more: &[&str], session: &str| {
            std::fs::write(folder.join("script"), "-list\n-list secret.txt:1\n").expect("a script");
            let mut mw = Command::new(MW);
            mw.args(["debug", "--script", "script", "--session", session]).args(more);
            let output = mw.arg("evil.wat").current_dir(&folder).output().expect("mw runs");
            let said = [output.stdout, output.stderr].concat();
            String::from_utf8_lossy(&said).into_owned()
        };
        let said = list(&[], &session);
        assert!(said.contains("outside of its folder"), "{said}");
        assert!(said.contains("--source-dir"), "{said}");
        assert!(!said.contains(SECRET), "{source}: {said}");
        let kept = std::fs::read(folder.join(&session)).expect("a session");
        let has = |bytes: &[u8]| bytes.windows(SECRET.len()).any(|part| part == SECRET.as_bytes());
        assert!(!has(&kept), "{source} is in the session file");

        let mut command = Command::new(MW);
        command.args(["debug", "--no-terminal", "--no-browser", "evil.wat"]).current_dir(&folder);
        let (_debugger, address, token) = serve(&mut command);
        let mut ask = open_page(&address, &token);
        let files = ask(json!({ "request": "source-files" }));
        let path = files["reply"]["data"][0]["path"].clone();
        for request in [
            json!({ "request": "source-text", "path": path }),
            json!({ "request": "source-lines" }),
            json!({ "request": "where" }),
        ] {
            let answer = ask(request).to_string();
            assert!(!answer.contains(SECRET), "{source}: {answer}");
        }

        // The person may name its folder.
        let named = format!("named-{index}.mw");
        let said = list(&["--source-dir", ".."], &named);
        assert!(said.contains(SECRET), "this is how it would have shown: {said}");
        assert!(has(&std::fs::read(folder.join(&named)).expect("a session")));
    }
}
