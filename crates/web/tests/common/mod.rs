//! A session with a server, and pages without a browser.
#![allow(dead_code, reason = "not every test needs everything")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use mw_api::{Debugger, Direction, Service, Setup, Unattended, request};
use mw_web::{Consoles, Server};
use serde_json::Value;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// Switches an LED on when it is bright, for ever.
pub const LIGHT: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "chip_digital_write" (func $write (param i32 i32)))
  (func (export "main")
    (loop $again
      (call $write (i32.const 13) (i32.gt_s (call $read (i32.const 5)) (i32.const 100)))
      (br $again))))
"#;

/// Does nothing, for ever.
pub const SPIN: &str = r#"(module (func (export "main") (loop $again (br $again))))"#;

/// A session of a program, served.
pub fn serve(program: &str) -> (Server, Service) {
    let binary = wat::parse_str(program).unwrap();
    let setup = Setup::new(&binary).unwrap().usual_entry(&[]).unwrap();
    let service = Service::start(Debugger::new(setup).unwrap()).unwrap();
    let consoles: Consoles = Arc::new(|mut client| {
        Box::new(move |line| match line {
            "where" => match client.ask(request::Where {}, &mut Unattended) {
                Ok(here) => Ok(here.place.text),
                Err(error) => Err(error.message),
            },
            "run" => {
                match client.ask(request::Run { direction: Direction::Forward }, &mut Unattended) {
                    Ok(stopped) => Ok(format!("{:?}", stopped.halt)),
                    Err(error) => Err(error.message),
                }
            }
            other => Err(format!("there is no command {other}")),
        })
    });
    let server = Server::start(service.client("page"), consoles, None).unwrap();
    (server, service)
}

/// The token in a server's address.
pub fn token(server: &Server) -> String {
    server.url().split_once("token=").unwrap().1.to_owned()
}

/// A page without a browser.
pub struct Page(WebSocket<TcpStream>);

impl Page {
    /// A page that is let in; it has been greeted.
    pub fn open(server: &Server) -> (Page, Value) {
        let origin = format!("http://127.0.0.1:{}", server.port());
        Page::connect(server, &token(server), Some(&origin)).unwrap()
    }

    /// Tries to connect; the number and text of a refusal otherwise.
    pub fn connect(
        server: &Server,
        token: &str,
        origin: Option<&str>,
    ) -> Result<(Page, Value), (u16, String)> {
        let stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
        let url = format!("ws://127.0.0.1:{}/ws", server.port());
        let mut request = url.into_client_request().unwrap();
        let offered = format!("manyworlds, {token}");
        request.headers_mut().insert("sec-websocket-protocol", offered.parse().unwrap());
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        let mut page = match tungstenite::client(request, stream) {
            Ok((socket, _)) => Page(socket),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                let text = response.body().as_deref().unwrap_or_default();
                return Err((
                    response.status().as_u16(),
                    String::from_utf8_lossy(text).into_owned(),
                ));
            }
            Err(error) => panic!("{error}"),
        };
        match page.0.read().unwrap() {
            Message::Close(Some(frame)) => Err((frame.code.into(), frame.reason.to_string())),
            message => {
                let greeting: Value = serde_json::from_str(message.to_text().unwrap()).unwrap();
                assert!(greeting["hello"].is_object(), "{greeting}");
                Ok((page, greeting["hello"].clone()))
            }
        }
    }

    pub fn try_send(&mut self, text: &str) -> Result<(), tungstenite::Error> {
        self.0.send(Message::text(text))
    }

    pub fn send(&mut self, text: &str) {
        self.try_send(text).unwrap();
    }

    pub fn send_binary(&mut self, bytes: &[u8]) {
        self.0.send(Message::binary(bytes.to_vec())).unwrap();
    }

    /// The next message, or why there is none.
    pub fn try_next(&mut self) -> Result<Value, tungstenite::Error> {
        loop {
            if let Message::Text(text) = self.0.read()? {
                return Ok(serde_json::from_str(&text).unwrap());
            }
        }
    }

    /// The next message.
    pub fn next(&mut self) -> Value {
        self.try_next().unwrap()
    }

    /// The next message for which something holds.
    pub fn wait_for(&mut self, what: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.next();
            if what(&message) {
                return message;
            }
        }
    }

    /// Makes a request and waits for its answer.
    pub fn ask(&mut self, id: u64, request: &str) -> Value {
        self.send(&format!(r#"{{"id": {id}, "request": {request}}}"#));
        self.wait_for(|message| message["id"] == id)
    }

    /// The next that is told of a change.
    pub fn next_change(&mut self) -> Value {
        self.wait_for(|message| message["event"]["event"] == "changed")["event"].clone()
    }
}

/// What the server says to a request over plain HTTP, headers included.
pub fn http(server: &Server, path: &str, headers: &[(&str, &str)]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
    let mut request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    request += "\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}
