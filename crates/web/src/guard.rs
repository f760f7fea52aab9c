//! Who may come in.
//!
//! The server listens on this machine only, but any web page that a person has open elsewhere can
//! make requests to this machine, directly or under another name for it (DNS rebinding). So every
//! request must be made to the server by its own name (`Host`); one that says where it comes from
//! (`Origin`, `Sec-Fetch-Site`) must come from the page itself; and to see anything of the session,
//! one has to know the token.
//!
//! The page keeps the token in its tab and says it when it opens the line, as one of the protocols
//! that it offers: a browser lets a page set no other header there. It is never in a cookie, which
//! a browser would send to every server on this machine, and never in an address that is sent,
//! which would be written down. The files of the page are the same in every copy of `mw` and are
//! given without it.

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN, SEC_WEBSOCKET_PROTOCOL};

use crate::token::Token;

/// The protocol that is spoken on the line; the token is offered beside it.
pub const PROTOCOL: &str = "manyworlds";

/// The names by which this machine may be called.
const NAMES: [&str; 2] = ["127.0.0.1", "localhost"];

/// Knows the server's port and token.
#[derive(Clone)]
pub struct Guard {
    port: u16,
    token: Token,
}

/// Why somebody is not let in; for the person who reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The server was called by another name.
    Host,
    /// The request comes from another page.
    Origin,
    /// The token is wrong or not there.
    Token,
}

impl Refusal {
    /// What to say.
    pub fn message(self) -> &'static str {
        match self {
            Refusal::Host => {
                "this server answers to 127.0.0.1 and localhost only; open the address that mw \
                 printed"
            }
            Refusal::Origin => {
                "other pages have no business here; open the address that mw printed"
            }
            Refusal::Token => {
                "the token in the address is missing, wrong, or of an earlier mw; open the address \
                 that mw printed when it started"
            }
        }
    }
}

impl Guard {
    pub fn new(port: u16, token: Token) -> Guard {
        Guard { port, token }
    }

    /// May this be asked for at all?
    pub fn anything(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let mut hosts = headers.get_all(HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        let is_ours = host.is_some_and(|host| self.addresses().any(|ours| ours == host));
        if !is_ours || hosts.next().is_some() {
            return Err(Refusal::Host);
        }
        if headers.contains_key(ORIGIN) && !self.is_own_origin(headers) {
            return Err(Refusal::Origin);
        }
        let says = |name: &str, values: &[&str]| {
            let value = headers.get(name).and_then(|value| value.to_str().ok());
            value.is_some_and(|value| values.contains(&value))
        };
        // A person may follow a link to here, but no page may load anything from here.
        let is_from_elsewhere = says("sec-fetch-site", &["cross-site", "same-site"]);
        if is_from_elsewhere && !says("sec-fetch-mode", &["navigate"]) {
            return Err(Refusal::Origin);
        }
        Ok(())
    }

    /// May this page use the session?
    pub fn session(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        self.anything(headers)?;
        if !self.is_own_origin(headers) {
            return Err(Refusal::Origin);
        }
        let lines = headers.get_all(SEC_WEBSOCKET_PROTOCOL).iter();
        let mut offered =
            lines.filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(','));
        let is_known = offered.any(|word| self.token.is(word.trim()));
        if is_known { Ok(()) } else { Err(Refusal::Token) }
    }

    fn addresses(&self) -> impl Iterator<Item = String> {
        NAMES.into_iter().map(|name| format!("{name}:{}", self.port))
    }

    fn is_own_origin(&self, headers: &HeaderMap) -> bool {
        let mut origins = headers.get_all(ORIGIN).iter();
        let origin = origins.next().and_then(|origin| origin.to_str().ok());
        let address = origin.and_then(|origin| origin.strip_prefix("http://"));
        address.is_some_and(|address| self.addresses().any(|ours| ours == address))
            && origins.next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, value.parse().unwrap());
        }
        headers
    }

    const HOST: (&str, &str) = ("host", "127.0.0.1:4000");
    const ORIGIN: (&str, &str) = ("origin", "http://127.0.0.1:4000");

    fn guard() -> (Guard, String) {
        let token = Token::random().unwrap();
        let offered = format!("{PROTOCOL}, {token}");
        (Guard::new(4000, token), offered)
    }

    /// The headers of a page that opens the line and offers these protocols.
    fn offering(lines: &[(&'static str, &'static str)], protocols: &str) -> HeaderMap {
        let mut headers = headers(lines);
        headers.append("sec-websocket-protocol", protocols.parse().unwrap());
        headers
    }

    #[test]
    fn only_its_own_names_are_answered_to() {
        let (guard, offered) = guard();
        for host in ["127.0.0.1:4000", "localhost:4000"] {
            let from = offering(&[("host", host), ORIGIN], &offered);
            assert_eq!(guard.session(&from), Ok(()), "{host}");
        }
        for host in ["evil.example:4000", "127.0.0.1", "127.0.0.1:4001", "localhost:4000.evil", ""]
        {
            let from = offering(&[("host", host), ORIGIN], &offered);
            assert_eq!(guard.session(&from), Err(Refusal::Host), "{host}");
            assert_eq!(guard.anything(&from), Err(Refusal::Host), "{host}");
        }
        assert_eq!(guard.anything(&headers(&[])), Err(Refusal::Host));
        let two = headers(&[HOST, ("host", "evil.example")]);
        assert_eq!(guard.anything(&two), Err(Refusal::Host));
    }

    #[test]
    fn other_pages_are_refused() {
        let (guard, offered) = guard();
        assert_eq!(guard.session(&offering(&[HOST, ORIGIN], &offered)), Ok(()));
        for origin in [
            "http://evil.example",
            "https://127.0.0.1:4000",
            "http://127.0.0.1:4001",
            "http://127.0.0.1:4000.evil.example",
            "null",
            "",
        ] {
            let from = offering(&[HOST, ("origin", origin)], &offered);
            assert_eq!(guard.session(&from), Err(Refusal::Origin), "{origin}");
            assert_eq!(guard.anything(&from), Err(Refusal::Origin), "{origin}");
        }
        // Whoever does not say where it comes from may look at the page, but gets no session.
        assert_eq!(guard.anything(&headers(&[HOST])), Ok(()));
        assert_eq!(guard.session(&offering(&[HOST], &offered)), Err(Refusal::Origin));
        let two = [HOST, ORIGIN, ("origin", "http://evil.example")];
        assert_eq!(guard.session(&offering(&two, &offered)), Err(Refusal::Origin));
    }

    #[test]
    fn nothing_is_loaded_into_other_pages_but_links_may_be_followed() {
        let (guard, _) = guard();
        for site in ["cross-site", "same-site"] {
            let loaded = [HOST, ("sec-fetch-site", site), ("sec-fetch-mode", "no-cors")];
            assert_eq!(guard.anything(&headers(&loaded)), Err(Refusal::Origin), "{site}");
            let followed = [HOST, ("sec-fetch-site", site), ("sec-fetch-mode", "navigate")];
            assert_eq!(guard.anything(&headers(&followed)), Ok(()), "{site}");
        }
        let own = [HOST, ("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "cors")];
        assert_eq!(guard.anything(&headers(&own)), Ok(()));
    }

    #[test]
    fn without_the_token_there_is_no_session() {
        let (guard, offered) = guard();
        assert_eq!(guard.session(&headers(&[HOST, ORIGIN])), Err(Refusal::Token));
        let (wrong, short) = (format!("{offered}0"), &offered[..offered.len() - 1]);
        for offered in ["", PROTOCOL, "1234", "manyworlds, ", &wrong, short] {
            let from = offering(&[HOST, ORIGIN], offered);
            assert_eq!(guard.session(&from), Err(Refusal::Token), "{offered}");
        }
        // A browser sends cookies by itself, so they mean nothing.
        let mut with_cookie = headers(&[HOST, ORIGIN]);
        let token = offered.rsplit(' ').next().unwrap();
        with_cookie.append("cookie", format!("mw-4000={token}").parse().unwrap());
        assert_eq!(guard.session(&with_cookie), Err(Refusal::Token));
    }
}
