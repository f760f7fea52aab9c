//! The picture on the display, and patches of it.
//!
//! Colours are RGB565. A [`Patch`] is a rectangle with its colours as runs: painting one returns
//! the patch that was there, so undoing a fill costs as much as what was overwritten is varied,
//! not the whole picture. Clones share the picture until one of them is painted on, and then all
//! rows but those.

use std::iter::repeat_n;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rect {
    pub(crate) x: u16,
    pub(crate) y: u16,
    pub(crate) width: u16,
    pub(crate) height: u16,
}

impl Rect {
    /// What of the given rectangle lies inside `width` × `height`; `None` when nothing does.
    pub(crate) fn clipped(
        (x, y, w, h): (i64, i64, i64, i64),
        (width, height): (u16, u16),
    ) -> Option<Rect> {
        let (left, top) = (x.max(0), y.max(0));
        let (right, bottom) =
            ((x.saturating_add(w)).min(width.into()), (y.saturating_add(h)).min(height.into()));
        (left < right && top < bottom).then(|| Rect {
            x: left as u16,
            y: top as u16,
            width: (right - left) as u16,
            height: (bottom - top) as u16,
        })
    }
}

/// A rectangle and its colours, row by row, as runs of equal ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Patch {
    rect: Rect,
    runs: Vec<(u32, u16)>,
}

impl Patch {
    /// A rectangle in one colour.
    pub(crate) fn fill(rect: Rect, color: u16) -> Patch {
        Patch { rect, runs: vec![(u32::from(rect.width) * u32::from(rect.height), color)] }
    }
}

/// The picture: `width` × `height` pixels, row by row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Screen {
    width: u16,
    height: u16,
    rows: Arc<Vec<Arc<[u16]>>>,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    width: u16,
    height: u16,
    pixels: Vec<u16>,
}

impl From<Screen> for Stored {
    fn from(screen: Screen) -> Self {
        let pixels = screen.rows.iter().flat_map(|row| row.iter().copied()).collect();
        Stored { width: screen.width, height: screen.height, pixels }
    }
}

impl TryFrom<Stored> for Screen {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<Self, Self::Error> {
        if stored.pixels.len() != usize::from(stored.width) * usize::from(stored.height) {
            return Err("a stored display has more or fewer pixels than its size says");
        }
        let rows = stored.pixels.chunks(usize::from(stored.width).max(1));
        Ok(Screen {
            width: stored.width,
            height: stored.height,
            rows: Arc::new(rows.map(Arc::from).collect()),
        })
    }
}

impl Screen {
    /// A black picture.
    pub(crate) fn new(width: u16, height: u16) -> Screen {
        let black: Arc<[u16]> = vec![0; usize::from(width)].into();
        Screen { width, height, rows: Arc::new(vec![black; usize::from(height)]) }
    }

    /// Width and height.
    pub fn size(&self) -> (u16, u16) {
        (self.width, self.height)
    }

    /// The colour at (`x`, `y`); black outside.
    pub fn pixel(&self, x: u16, y: u16) -> u16 {
        let row = self.rows.get(usize::from(y));
        row.and_then(|row| row.get(usize::from(x))).copied().unwrap_or(0)
    }

    /// A hash that is the same for equal pictures, whatever they share.
    pub(crate) fn hash(&self) -> u128 {
        let mut bytes = Vec::with_capacity(4 + 16 * self.rows.len());
        bytes.extend(self.width.to_le_bytes());
        bytes.extend(self.height.to_le_bytes());
        let mut last: Option<(&Arc<[u16]>, [u8; 16])> = None;
        for row in self.rows.iter() {
            let hash = match last {
                Some((before, hash)) if Arc::ptr_eq(before, row) => hash,
                _ => {
                    let colors: Vec<u8> = row.iter().flat_map(|c| c.to_le_bytes()).collect();
                    xxh3_128(&colors).to_le_bytes()
                }
            };
            bytes.extend(hash);
            last = Some((row, hash));
        }
        xxh3_128(&bytes)
    }

    /// Paints `patch` and returns the patch that was there.
    pub(crate) fn paint(&mut self, patch: Patch) -> Patch {
        let Rect { x, y, width, height } = patch.rect;
        let mut colors = patch.runs.iter().flat_map(|&(n, color)| repeat_n(color, n as usize));
        let mut old: Vec<(u32, u16)> = Vec::new();
        let columns = usize::from(x)..usize::from(x) + usize::from(width);
        for row in
            Arc::make_mut(&mut self.rows).iter_mut().skip(usize::from(y)).take(usize::from(height))
        {
            let new: Vec<u16> = colors.by_ref().take(columns.len()).collect();
            let Some(there) = row.get(columns.clone()) else { continue };
            for &color in there {
                match old.last_mut() {
                    Some((n, last)) if *last == color => *n += 1,
                    _ => old.push((1, color)),
                }
            }
            // An unchanged row stays shared. A stored patch may have too few colours: ignore it.
            if there != new && there.len() == new.len() {
                Arc::make_mut(row)[columns.clone()].copy_from_slice(&new);
            }
        }
        Patch { rect: patch.rect, runs: old }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_pictures_have_equal_hashes() {
        let whole = Rect { x: 0, y: 0, width: 4, height: 3 };
        let dot = Rect { x: 1, y: 2, width: 1, height: 1 };
        let black = Screen::new(4, 3);
        let mut painted = black.clone();
        let before = painted.paint(Patch::fill(dot, 7));
        assert_ne!(painted.hash(), black.hash());
        painted.paint(before);
        assert_eq!((&painted, painted.hash()), (&black, black.hash()));
        assert_ne!(Screen::new(3, 4).hash(), black.hash());
        painted.paint(Patch::fill(whole, 7));
        let mut other = Screen::new(4, 3);
        (0..3).for_each(|y| drop(other.paint(Patch::fill(Rect { y, height: 1, ..whole }, 7))));
        assert_eq!(other.hash(), painted.hash());
    }

    #[test]
    fn rectangles_are_clipped() {
        for (given, expected) in [
            ((0, 0, 4, 3), Some((0, 0, 4, 3))),
            ((-1, -1, 3, 3), Some((0, 0, 2, 2))),
            ((2, 1, 100, 100), Some((2, 1, 2, 2))),
            ((4, 0, 1, 1), None),
            ((0, 0, 0, 5), None),
            ((0, 0, -5, 5), None),
            ((i64::MIN, 0, i64::MAX, 1), None),
            ((0, 0, i64::MAX, i64::MAX), Some((0, 0, 4, 3))),
        ] {
            let rect = Rect::clipped(given, (4, 3)).map(|r| (r.x, r.y, r.width, r.height));
            assert_eq!(rect, expected, "{given:?}");
        }
    }

    #[test]
    fn painting_returns_what_was_there_and_is_small() {
        let mut screen = Screen::new(128, 160);
        let before = screen.clone();
        let inner = Rect { x: 10, y: 10, width: 5, height: 2 };
        let undo_inner = screen.paint(Patch::fill(inner, 7));
        assert_eq!((screen.pixel(10, 10), screen.pixel(15, 10)), (7, 0));
        assert_eq!(undo_inner.runs, [(10, 0)]);
        let middle = screen.clone();
        let undo_all = screen.paint(Patch::fill(Rect { x: 0, y: 0, width: 128, height: 160 }, 9));
        assert_eq!(undo_all.runs.len(), 5, "the flat background is a few runs");
        screen.paint(undo_all);
        assert_eq!(screen, middle);
        screen.paint(undo_inner);
        assert_eq!(screen, before);
    }

    #[test]
    fn untouched_rows_stay_shared() {
        let mut screen = Screen::new(8, 3);
        let before = screen.clone();
        screen.paint(Patch::fill(Rect { x: 0, y: 1, width: 2, height: 1 }, 5));
        let shared: Vec<bool> =
            before.rows.iter().zip(&*screen.rows).map(|(a, b)| Arc::ptr_eq(a, b)).collect();
        assert_eq!(shared, [true, false, true]);
    }
}
