//! What only the page that was opened for the person knows.

use std::fmt;
use std::hint::black_box;

/// A secret of 128 random bits, as text.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A new one; fails only where the operating system has no randomness to give.
    pub fn random() -> std::io::Result<Token> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Whether this is it. How long that takes says nothing about where they differ.
    pub fn is(&self, other: &str) -> bool {
        if self.0.len() != other.len() {
            return false;
        }
        let pairs = self.0.bytes().zip(other.bytes());
        black_box(pairs.fold(0, |differing, (a, b)| black_box(differing | (a ^ b)))) == 0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn a_token_is_itself_and_nothing_else() {
        let token = Token::random().unwrap();
        let text = token.to_string();
        assert_eq!(text.len(), 32);
        assert!(token.is(&text));
        for index in 0..text.len() {
            let mut other = text.clone().into_bytes();
            other[index] ^= 1;
            assert!(!token.is(std::str::from_utf8(&other).unwrap()), "{index}");
        }
        for wrong in ["", &text[1..], &format!("{text}0")] {
            assert!(!token.is(wrong), "{wrong}");
        }
        assert!(!Token::random().unwrap().is(&text));
    }
}
