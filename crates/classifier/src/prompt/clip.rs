//! Cutting long text in the middle, by UTF-16 code units (the seeds' unit), on character boundaries.

use super::escape::{json_inside, push_json_char};

/// Room for a marker.
const MARKER_UNITS: usize = 48;

/// Length in UTF-16 code units.
pub(crate) fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Approximate tokens: UTF-16 code units ÷ 4, rounded up.
pub(crate) fn tokens(text: &str) -> usize {
    units(text).div_ceil(4)
}

/// 65 % of the room goes to the head, the rest to the tail.
fn split_room(limit: usize) -> (usize, usize) {
    let room = limit.saturating_sub(MARKER_UNITS);
    let head = room.saturating_mul(65) / 100;
    (head, room.saturating_sub(head))
}

/// A text that is too long, in two parts.
pub(crate) struct Cut<'a> {
    pub(crate) head: &'a str,
    /// UTF-16 code units between the parts.
    pub(crate) omitted: usize,
    pub(crate) tail: &'a str,
}

impl Cut<'_> {
    /// The marker between the parts.
    pub(crate) fn marker(&self) -> String {
        marker(self.omitted)
    }
}

fn marker(omitted: usize) -> String {
    format!("[… about {} tokens left out …]", omitted.div_ceil(4))
}

/// The bytes that fit into `room` code units, each character costing what `cost` says; from the front of the iterator.
fn fitting<'a>(
    chars: impl Iterator<Item = (usize, char)> + 'a,
    room: usize,
    mut cost: impl FnMut(usize, char) -> usize,
) -> usize {
    let mut used = 0_usize;
    let mut bytes = 0_usize;
    for (position, c) in chars {
        used = used.saturating_add(cost(position, c));
        if used > room {
            break;
        }
        bytes = bytes.saturating_add(c.len_utf8());
    }
    bytes
}

fn cut_with(text: &str, limit: usize, mut cost: impl FnMut(usize, char) -> usize) -> Cut<'_> {
    let (head_room, tail_room) = split_room(limit);
    let head_end = fitting(text.char_indices(), head_room, &mut cost);
    let tail_bytes = fitting(text.char_indices().rev(), tail_room, &mut cost);
    // The parts can't overlap while the whole costs more than the limit; should they, the tail yields.
    let tail_start = text.len().saturating_sub(tail_bytes).max(head_end);
    let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
    Cut { head: part(0..head_end), omitted: units(part(head_end..tail_start)), tail: part(tail_start..text.len()) }
}

/// Cuts a text longer than `limit` code units so that its parts and a marker fit; `None` if it fits whole.
pub(crate) fn middle_cut(text: &str, limit: usize) -> Option<Cut<'_>> {
    (units(text) > limit).then(|| cut_with(text, limit, |_, c| c.len_utf16()))
}

/// Plain text as the inside of a JSON string of at most `limit` code units, and whether it was cut for that.
pub(crate) fn json_clipped(text: &str, limit: usize) -> (String, bool) {
    let whole = json_inside(text);
    if units(&whole) <= limit {
        return (whole, false);
    }
    let mut piece = String::new();
    let cut = cut_with(text, limit, |position, c| {
        piece.clear();
        push_json_char(&mut piece, c, text.get(position..).unwrap_or_default());
        units(&piece)
    });
    let clipped = format!("{}{}{}", json_inside(cut.head), cut.marker(), json_inside(cut.tail));
    let fits = clipped.char_indices().scan(0_usize, |used, (position, c)| {
        *used = used.saturating_add(c.len_utf16());
        (*used <= limit).then(|| position.saturating_add(c.len_utf8()))
    });
    let end = fits.last().unwrap_or(0);
    // Only a limit smaller than a marker cuts here, and then there is nothing but a marker to cut.
    (clipped.get(..end).unwrap_or_default().to_owned(), true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_text_is_left_alone() {
        assert!(middle_cut("abc", 3).is_none());
        assert_eq!(json_clipped("a\nb", 4), ("a\\nb".to_owned(), false));
    }

    #[test]
    fn long_text_keeps_head_and_tail_within_the_limit() {
        let text = format!("HEAD{}TAIL", "x".repeat(10_000));
        let cut = middle_cut(&text, 1_000).unwrap();
        assert!(cut.head.starts_with("HEAD") && cut.tail.ends_with("TAIL"));
        assert!(cut.head.len() > cut.tail.len());
        assert_eq!(cut.head.len() + cut.omitted + cut.tail.len(), text.len());
        assert!(units(cut.head) + units(&cut.marker()) + units(cut.tail) <= 1_000);
    }

    #[test]
    fn characters_are_never_split_and_limits_always_hold() {
        for sample in ["🦀", "é", "<", "\n", "\u{1}", "\u{e0041}", "\\", "[INST]", "日"] {
            let text = sample.repeat(5_000);
            for limit in [0, 1, 7, 40, 48, 64, 100, 999, 4_000] {
                let (clipped, cut) = json_clipped(&text, limit);
                assert!(cut && units(&clipped) <= limit, "{sample:?} at {limit}: {}", units(&clipped));
                if limit >= MARKER_UNITS {
                    assert!(
                        serde_json::from_str::<String>(&format!("\"{clipped}\"")).is_ok(),
                        "{sample:?} at {limit}: {clipped}"
                    );
                }
            }
        }
    }
}
