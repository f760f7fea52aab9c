//! Who may come in.
//!
//! The server listens on this machine only, but any web page that a person has open elsewhere can
//! make requests to this machine, directly or under another name for it (DNS rebinding). So every
//! request must be made to the server by its own name (`Host`); one that says where it comes from
//! (`Origin`, `Sec-Fetch-Site`) must come from the page itself; and to see anything of the session,
//! one has to know the token.
//!
//! The files under `/assets` are the same in every copy of `mw` and are given without a token: a
//! page cannot add it to everything that it loads, and a cookie would not reach it inside an
//! editor's window.

use axum::http::HeaderMap;
use axum::http::header::{COOKIE, HOST, ORIGIN};

use crate::token::Token;

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

    /// May the page be opened? It needs the token, or the cookie that opening it has left, for
    /// when it is loaded again.
    pub fn page(&self, headers: &HeaderMap, query: Option<&str>) -> Result<(), Refusal> {
        self.anything(headers)?;
        let is_known = match token_in(query) {
            Some(token) => self.token.is(token),
            None => self.cookies(headers).any(|cookie| self.token.is(cookie)),
        };
        if is_known { Ok(()) } else { Err(Refusal::Token) }
    }

    /// May this page use the session? Cookies do not count, as a browser adds them to what other
    /// pages ask for too.
    pub fn session(&self, headers: &HeaderMap, query: Option<&str>) -> Result<(), Refusal> {
        self.anything(headers)?;
        if !self.is_own_origin(headers) {
            return Err(Refusal::Origin);
        }
        match token_in(query) {
            Some(token) if self.token.is(token) => Ok(()),
            _ => Err(Refusal::Token),
        }
    }

    /// What a browser is to keep, so that the page can be loaded again without the token.
    pub fn cookie(&self) -> String {
        format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name(), self.token)
    }

    /// Cookies are the same for all ports.
    fn cookie_name(&self) -> String {
        format!("mw-{}", self.port)
    }

    fn cookies<'a>(&self, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> {
        let name = self.cookie_name();
        let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        all.flat_map(|value| value.split(';')).filter_map(move |cookie| {
            let (key, value) = cookie.trim().split_once('=')?;
            (key == name).then_some(value)
        })
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

/// The token of a query such as `token=…&x=y`; tokens need no escapes.
fn token_in(query: Option<&str>) -> Option<&str> {
    query?.split('&').find_map(|part| part.strip_prefix("token="))
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
        let query = format!("token={token}");
        (Guard::new(4000, token), query)
    }

    #[test]
    fn only_its_own_names_are_answered_to() {
        let (guard, query) = guard();
        for host in ["127.0.0.1:4000", "localhost:4000"] {
            assert_eq!(guard.page(&headers(&[("host", host)]), Some(&query)), Ok(()), "{host}");
        }
        for host in ["evil.example:4000", "127.0.0.1", "127.0.0.1:4001", "localhost:4000.evil", ""]
        {
            let found = guard.page(&headers(&[("host", host)]), Some(&query));
            assert_eq!(found, Err(Refusal::Host), "{host}");
        }
        assert_eq!(guard.page(&headers(&[]), Some(&query)), Err(Refusal::Host));
        let two = headers(&[HOST, ("host", "evil.example")]);
        assert_eq!(guard.anything(&two), Err(Refusal::Host));
    }

    #[test]
    fn other_pages_are_refused() {
        let (guard, query) = guard();
        let query = Some(query.as_str());
        assert_eq!(guard.session(&headers(&[HOST, ORIGIN]), query), Ok(()));
        for origin in [
            "http://evil.example",
            "https://127.0.0.1:4000",
            "http://127.0.0.1:4001",
            "http://127.0.0.1:4000.evil.example",
            "null",
            "",
        ] {
            let from = headers(&[HOST, ("origin", origin)]);
            assert_eq!(guard.session(&from, query), Err(Refusal::Origin), "{origin}");
            assert_eq!(guard.page(&from, query), Err(Refusal::Origin), "{origin}");
            assert_eq!(guard.anything(&from), Err(Refusal::Origin), "{origin}");
        }
        // Whoever does not say where it comes from may look at the page, but gets no session.
        assert_eq!(guard.page(&headers(&[HOST]), query), Ok(()));
        assert_eq!(guard.session(&headers(&[HOST]), query), Err(Refusal::Origin));
        let two = headers(&[HOST, ORIGIN, ("origin", "http://evil.example")]);
        assert_eq!(guard.session(&two, query), Err(Refusal::Origin));
    }

    #[test]
    fn nothing_is_loaded_into_other_pages_but_links_may_be_followed() {
        let (guard, query) = guard();
        for site in ["cross-site", "same-site"] {
            let loaded = [HOST, ("sec-fetch-site", site), ("sec-fetch-mode", "no-cors")];
            assert_eq!(guard.anything(&headers(&loaded)), Err(Refusal::Origin), "{site}");
            let followed = [HOST, ("sec-fetch-site", site), ("sec-fetch-mode", "navigate")];
            assert_eq!(guard.page(&headers(&followed), Some(&query)), Ok(()), "{site}");
        }
        let own = [HOST, ("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "cors")];
        assert_eq!(guard.anything(&headers(&own)), Ok(()));
    }

    #[test]
    fn without_the_token_there_is_nothing_to_see() {
        let (guard, query) = guard();
        let own = headers(&[HOST, ORIGIN]);
        let wrong = format!("{query}0");
        for query in [None, Some(""), Some("token="), Some("token=1234"), Some(wrong.as_str())] {
            assert_eq!(guard.session(&own, query), Err(Refusal::Token), "{query:?}");
            assert_eq!(guard.page(&own, query), Err(Refusal::Token), "{query:?}");
        }
        assert_eq!(guard.session(&own, Some(&format!("a=b&{query}"))), Ok(()));
    }

    #[test]
    fn a_cookie_opens_the_page_again_but_not_the_session() {
        let (guard, query) = guard();
        let (cookie, _) =
            guard.cookie().split_once(';').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        let mut with_cookie = headers(&[HOST, ORIGIN]);
        with_cookie.append("cookie", format!("theme=dark; {cookie}").parse().unwrap());
        assert_eq!(guard.page(&with_cookie, None), Ok(()));
        assert_eq!(guard.page(&with_cookie, Some("token=wrong")), Err(Refusal::Token));
        assert_eq!(guard.session(&with_cookie, None), Err(Refusal::Token));
        assert_eq!(guard.session(&with_cookie, Some(&query)), Ok(()));
        let mut other_port = headers(&[HOST]);
        other_port.append("cookie", cookie.replace("mw-4000", "mw-4001").parse().unwrap());
        assert_eq!(guard.page(&other_port, None), Err(Refusal::Token));
    }
}
