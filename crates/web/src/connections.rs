//! Connections on which nobody has shown the token yet: few at a time, and none for long.
//!
//! Anybody on this machine can connect, and say nothing or half of something. So there is room for
//! some such connections only, further ones wait to be taken, and each has to come to an end. One
//! that becomes the line to a page is no longer among them: those are counted by themselves.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// How many there may be at a time.
const STRANGERS: usize = 64;
/// How long the head of a request, the next one included, may take to come.
const HEAD: Duration = Duration::from_secs(3);
/// How long such a connection may last: for some files of the page, over a slow line.
const WHOLE: Duration = Duration::from_secs(60);
/// How long to wait when no connection can be taken, for want of open files most likely.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers whoever connects, for ever.
pub async fn serve(listener: TcpListener, router: Router) {
    let room = Arc::new(Semaphore::new(STRANGERS));
    // It is never closed.
    while let Ok(place) = room.clone().acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router.clone()))
            .with_upgrades();
        tokio::spawn(async move {
            // However it ends, it has ended.
            let _ = timeout(WHOLE, connection).await;
            drop(place);
        });
    }
}
