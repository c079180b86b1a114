//! Decoding of `$'…'` (bash manual, "ANSI-C Quoting").

/// The value of the text between the quotes, or `None` if it is not valid UTF-8 or not known.
pub(super) fn decode(raw: &str) -> Option<String> {
    let mut out: Vec<u8> = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at_checked(at)?;
        out.extend_from_slice(before.as_bytes());
        let mut chars = escape.chars();
        chars.next();
        let letter = chars.next()?;
        rest = chars.as_str();
        let byte = match letter {
            'a' => 0x07,
            'b' => 0x08,
            'e' | 'E' => 0x1b,
            'f' => 0x0c,
            'n' => b'\n',
            'r' => b'\r',
            't' => b'\t',
            'v' => 0x0b,
            '\\' | '\'' | '"' | '?' => u8::try_from(letter).ok()?,
            '0'..='7' => {
                let (digits, after) = digits(escape.get(1..)?, 8, 3)?;
                rest = after;
                // Three octal digits can pass 255; bash keeps the low eight bits.
                u8::try_from(digits & 0xff).ok()?
            }
            'x' | 'u' | 'U' => {
                let most = match letter {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                // `\x{…}` differs between versions, and an escape without digits is kept as text: both are rare.
                let (value, after) = digits(rest, 16, most)?;
                rest = after;
                if letter == 'x' {
                    u8::try_from(value).ok()?
                } else {
                    if value == 0 {
                        break_at_nul(&mut rest);
                        continue;
                    }
                    let mut buffer = [0; 4];
                    out.extend_from_slice(char::from_u32(value)?.encode_utf8(&mut buffer).as_bytes());
                    continue;
                }
            }
            'c' => {
                let control = chars.next()?;
                rest = chars.as_str();
                if !(control.is_ascii_alphabetic() || matches!(control, '@' | '[' | ']' | '^' | '_')) {
                    return None;
                }
                u8::try_from(control.to_ascii_uppercase()).ok()? ^ 0x40
            }
            other => {
                out.push(b'\\');
                let mut buffer = [0; 4];
                out.extend_from_slice(other.encode_utf8(&mut buffer).as_bytes());
                continue;
            }
        };
        if byte == 0 {
            break_at_nul(&mut rest);
        } else {
            out.push(byte);
        }
    }
    out.extend_from_slice(rest.as_bytes());
    String::from_utf8(out).ok()
}

/// A NUL ends the string, as in C: what follows is dropped.
fn break_at_nul(rest: &mut &str) {
    *rest = "";
}

/// Up to `most` digits of `radix` at the start of `text`, and what follows; `None` without any.
fn digits(text: &str, radix: u32, most: usize) -> Option<(u32, &str)> {
    let count = text.chars().take(most).take_while(|c| c.is_digit(radix)).count();
    let (number, after) = text.split_at_checked(count)?;
    u32::from_str_radix(number, radix).ok().map(|value| (value, after))
}
