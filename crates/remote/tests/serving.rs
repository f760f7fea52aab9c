//! Who gets to talk to an agent over TCP: whoever speaks as a host does.

use std::io::Read;
use std::net::TcpStream;
use std::sync::Arc;

use mw_remote::agent::{Agent, Config};
use mw_remote::host::{Address, Device, Key, Serving, SimulatedBoard, listen_tcp, serve};
use mw_world::Description;

/// An agent without a key, and where it is. It ends with the test.
fn serving() -> String {
    let listener = listen_tcp("127.0.0.1:0", None).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        let board = SimulatedBoard::new(&Arc::new(Description::board(Default::default()))).unwrap();
        serve(&mut Agent::new(board, 1, Config::SMALL), Serving::Tcp(listener, None))
    });
    address
}

#[test]
fn who_says_nothing_keeps_nobody_away() {
    let address = serving();
    let silent: Vec<TcpStream> = (0..100).map(|_| TcpStream::connect(&address).unwrap()).collect();
    let stream = Address::Tcp(address).open(None).unwrap();
    let mut device = Device::connect(stream, 1).unwrap();
    device.status().unwrap();
    // They came first, and there is not room for all of them: the oldest have been sent away.
    let mut oldest = &silent[0];
    oldest.set_nonblocking(true).unwrap();
    assert_eq!(oldest.read(&mut [0]).expect("it has ended"), 0);
}

#[test]
fn a_key_for_an_agent_without_one_is_told_as_such() {
    let key = Key::parse(&Key::generate().unwrap()).unwrap();
    let opened = Address::Tcp(serving()).open(Some(&key));
    let error = opened.err().expect("no connection").to_string();
    assert!(error.contains("start it with the same key, or leave out --key"), "{error}");
}
