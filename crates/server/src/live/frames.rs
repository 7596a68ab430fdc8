//! Texts as they go over a WebSocket.

use std::ops::Deref;

use smallvec::SmallVec;
use tungstenite::protocol::frame::FrameHeader;
use tungstenite::protocol::frame::coding::{Data, OpCode};

/// How much has room without memory of its own: a move, and the answer to it.
const OWN: usize = 160;

/// Texts as frames, one behind the other.
#[derive(Debug, Default)]
pub(crate) struct Frames(SmallVec<[u8; OWN]>);

impl Frames {
    /// One text.
    pub(crate) fn of(text: &str) -> Frames {
        let mut frames = Frames::default();
        frames.push(text);
        frames
    }

    /// Puts a text behind the others.
    pub(crate) fn push(&mut self, text: &str) {
        let header = FrameHeader { opcode: OpCode::Data(Data::Text), ..FrameHeader::default() };
        // Writing to memory never fails.
        let _ = header.format(text.len() as u64, &mut self.0);
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Takes out what came after there were so many bytes.
    pub(super) fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    /// Takes everything out, and gives back the memory of what was long.
    pub(super) fn clear(&mut self) {
        if self.0.spilled() {
            *self = Frames::default();
        } else {
            self.0.clear();
        }
    }
}

impl Deref for Frames {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl<T: AsRef<str>> FromIterator<T> for Frames {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Frames {
        let mut frames = Frames::default();
        texts.into_iter().for_each(|text| frames.push(text.as_ref()));
        frames
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_behind_each_other_and_the_last_can_be_taken_back() {
        let mut frames = Frames::of("one");
        let length = frames.len();
        frames.push(&"x".repeat(OWN));
        assert_eq!(frames[..7], *b"\x81\x03one\x81\x7e");
        assert_eq!(frames.len(), length + 4 + OWN);
        frames.truncate(length);
        assert_eq!(*frames, *b"\x81\x03one");
        frames.clear();
        assert!(frames.is_empty() && !frames.0.spilled());
    }
}
