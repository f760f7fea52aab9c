//! How source maps encode numbers, and URLs their content.
//!
//! The numbers are decoded here: it takes twenty lines.

use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;

/// The value of a digit of base64.
fn digit(character: u8) -> Option<u8> {
    Some(match character {
        b'A'..=b'Z' => character - b'A',
        b'a'..=b'z' => character - b'a' + 26,
        b'0'..=b'9' => character - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// The numbers of one mapping, of which there are at most five, and how many they are.
///
/// A digit carries five bits, lowest first, and whether more follow. The lowest bit of a number
/// is its sign.
pub(super) fn numbers(segment: &str) -> Option<([i64; 5], usize)> {
    let (mut numbers, mut count) = ([0; 5], 0);
    let (mut bits, mut shift) = (0_u64, 0);
    for character in segment.bytes() {
        let digit = u64::from(digit(character)?);
        // All that is encoded fits into 32 bits.
        if shift > 30 {
            return None;
        }
        bits |= (digit & 31) << shift;
        shift += 5;
        if digit & 32 == 0 {
            let magnitude = (bits >> 1) as i64;
            *numbers.get_mut(count)? = if bits & 1 == 1 { -magnitude } else { magnitude };
            count += 1;
            (bits, shift) = (0, 0);
        }
    }
    (shift == 0 && count > 0).then_some((numbers, count))
}

/// The content of a `data:` URL, or what is wrong with it; `None` for other URLs.
pub(super) fn data_url(url: &str) -> Option<Result<Vec<u8>, &'static str>> {
    let Some((kind, data)) = url.strip_prefix("data:")?.split_once(',') else {
        return Some(Err("it has no content"));
    };
    Some(if kind.ends_with(";base64") {
        // With padding or without.
        BASE64_STANDARD_NO_PAD.decode(data.trim_end_matches('=')).map_err(|_| "it is no base64")
    } else {
        percent(data).ok_or("it is not encoded as a URL is")
    })
}

fn percent(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, after) = after.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = after;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_sign_in_the_lowest_bit() {
        for (segment, expected) in [
            ("A", &[0][..]),
            ("C", &[1]),
            ("D", &[-1]),
            ("iE", &[65]),
            ("EACI", &[2, 0, 1, 4]),
            ("AAgBCqB", &[0, 0, 16, 1, 21]),
            ("+/////D", &[2147483647]),
        ] {
            let (numbers, count) = numbers(segment).unwrap();
            assert_eq!(&numbers[..count], expected, "{segment}");
        }
        for wrong in ["", "g", "A!", "AAAAAA", "ggggggggA"] {
            assert_eq!(numbers(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn content_of_urls_is_decoded() {
        let decoded = |url| data_url(url).map(|content| content.ok());
        assert_eq!(decoded("a.map"), None);
        assert_eq!(decoded("data:;base64,aGk="), Some(Some(b"hi".to_vec())));
        assert_eq!(decoded("data:;base64,aGlq"), Some(Some(b"hij".to_vec())));
        assert_eq!(decoded("data:,a%20b"), Some(Some(b"a b".to_vec())));
        for wrong in ["data:", "data:;base64,a", "data:;base64,a%", "data:,%2", "data:,%xy"] {
            assert_eq!(decoded(wrong), Some(None), "{wrong}");
        }
    }
}
