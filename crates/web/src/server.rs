//! Listening, and answering over HTTP.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use axum::Router;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use mw_api::{Client, InfoView, Unattended, request};
use tokio::sync::oneshot;

use crate::console::Consoles;
use crate::guard::{Guard, PROTOCOL, Refusal};
use crate::message::Hello;
use crate::token::Token;
use crate::{connections, files, page};

/// How many pages there may be at a time.
const PAGES: usize = 32;

/// Why a line is closed at once: a page is told this number, but no answer over HTTP.
const REFUSED: u16 = 4403;

/// What a page may do: load its own files and talk to this server, nothing else. It may be framed
/// by an editor's own windows, whose schemes no web page can have.
const POLICY: &str = "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors vscode-webview: vscode-file:";

/// Serves the page of one session, on this machine only, until it is dropped.
pub struct Server {
    port: u16,
    token: Token,
    known: Arc<Known>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

type Welcome = Box<dyn FnOnce() + Send>;

/// What everyone who answers knows.
struct Known {
    guard: Guard,
    client: Client,
    consoles: Consoles,
    info: InfoView,
    /// To be called when the first page comes in.
    welcome: Mutex<Option<Welcome>>,
    /// How many pages there have been.
    numbered: AtomicU64,
    /// How many there are.
    open: AtomicUsize,
}

impl Server {
    /// Starts to serve the session at the end of a line, on a port or any free one. Consoles are
    /// for pages: they must not do more than a page may.
    pub fn start(mut client: Client, consoles: Consoles, port: Option<u16>) -> io::Result<Server> {
        let info = client.ask(request::Info {}, &mut Unattended).map_err(io::Error::other)?;
        let listener =
            TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port.unwrap_or(0))))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let token = Token::random()?;
        let known = Arc::new(Known {
            guard: Guard::new(port, token.clone()),
            client,
            consoles,
            info,
            welcome: Mutex::new(None),
            numbered: AtomicU64::new(0),
            open: AtomicUsize::new(0),
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel();
        let router = router(known.clone());
        let thread = std::thread::spawn(move || {
            runtime.block_on(async {
                // It has been bound, so there is nothing that could go wrong.
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                tokio::select! {
                    () = connections::serve(listener, router) => {}
                    _ = stopped => {}
                }
            });
        });
        Ok(Server { port, token, known, stop: Some(stop), thread: Some(thread) })
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address to open. Whoever knows it can use the session. The token is behind the `#`, as
    /// that is kept in the browser and never sent.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/#token={}", self.port, self.token)
    }

    /// Calls back when the first page has come in.
    pub fn when_opened(&self, welcome: impl FnOnce() + Send + 'static) {
        *self.known.welcome() = Some(Box::new(welcome));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn router(known: Arc<Known>) -> Router {
    Router::new()
        .route("/ws", get(connect))
        .fallback(get(file))
        .layer(axum::middleware::map_response(async |mut response: Response| {
            let headers = response.headers_mut();
            for (name, value) in [
                ("content-security-policy", POLICY),
                ("x-content-type-options", "nosniff"),
                ("referrer-policy", "no-referrer"),
                ("cross-origin-opener-policy", "same-origin"),
                ("cross-origin-resource-policy", "same-origin"),
                ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
            ] {
                headers.insert(name, HeaderValue::from_static(value));
            }
            response
        }))
        .with_state(known)
}

/// The page and its files. They are the same in every copy of `mw`.
async fn file(State(known): State<Arc<Known>>, headers: HeaderMap, uri: Uri) -> Response {
    if let Err(refusal) = known.guard.anything(&headers) {
        return refused(refusal);
    }
    let Some(file) = files::find(uri.path()) else {
        return (StatusCode::NOT_FOUND, "there is no such file\n").into_response();
    };
    let caching = if file.is_fixed { "max-age=31536000, immutable" } else { "no-store" };
    let mut response = file.content.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.media_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    response
}

/// The line to the session.
async fn connect(
    State(known): State<Arc<Known>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let allowed = known.guard.session(&headers);
    if let Err(refusal @ (Refusal::Host | Refusal::Origin)) = allowed {
        return refused(refusal);
    }
    let Ok(upgrade) = upgrade else {
        return (StatusCode::BAD_REQUEST, "this is for WebSockets\n").into_response();
    };
    let upgrade = upgrade.protocols([PROTOCOL]);
    if let Err(refusal) = allowed {
        return upgrade.on_upgrade(move |socket| close(socket, refusal));
    }
    let Some(place) = Seat::take(&known) else {
        let message = format!("{PAGES} pages are open already; close one\n");
        return (StatusCode::SERVICE_UNAVAILABLE, message).into_response();
    };
    let number = known.numbered.fetch_add(1, Ordering::Relaxed) + 1;
    let client = known.client.named(&format!("page {number}"));
    let hello = known.hello(&client);
    if let Some(welcome) = known.welcome().take() {
        welcome();
    }
    upgrade.max_message_size(page::FRAME_BYTES).max_frame_size(page::FRAME_BYTES).on_upgrade(
        move |socket| async move {
            page::serve(socket, client, known.consoles.clone(), hello).await;
            drop(place);
        },
    )
}

/// Says why there is no line, and nothing else.
async fn close(mut socket: WebSocket, refusal: Refusal) {
    let frame = CloseFrame { code: REFUSED, reason: refusal.message().into() };
    // Whoever is gone does not mind.
    let _ = socket.send(Message::Close(Some(frame))).await;
}

impl Known {
    fn welcome(&self) -> MutexGuard<'_, Option<Welcome>> {
        self.welcome.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a page is told first, but for what is under way then. It does not wait for the session,
    /// which may be busy for long.
    fn hello(&self, client: &Client) -> Hello {
        Hello {
            version: env!("CARGO_PKG_VERSION").into(),
            page: client.name().into(),
            name: self.info.name.clone(),
            world: self.info.world.clone(),
            has_board: self.info.has_board,
            has_sources: self.info.has_sources,
            busy: None,
        }
    }
}

/// One of the pages that there may be.
struct Seat(Arc<Known>);

impl Seat {
    fn take(known: &Arc<Known>) -> Option<Seat> {
        let one_more = |open: usize| (open < PAGES).then_some(open + 1);
        known.open.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).ok()?;
        Some(Seat(known.clone()))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

fn refused(refusal: Refusal) -> Response {
    (StatusCode::FORBIDDEN, format!("{}\n", refusal.message())).into_response()
}
