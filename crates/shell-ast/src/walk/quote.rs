//! Text of words that do not stand in the source as they are (brace expansion, splitting).

use crate::analysis::Part;

/// Writes parts so that a reader sees what bash would get.
pub(crate) fn render(parts: &[Part]) -> String {
    let mut out = String::new();
    for part in parts {
        match part {
            Part::Text(text) => push_text(text, &mut out),
            Part::Glob(text) => out.push_str(text),
            Part::Tilde(user) => {
                out.push('~');
                out.push_str(user);
            }
            Part::Var { name, quoted: true } => {
                out.push_str("\"${");
                out.push_str(name);
                out.push_str("}\"");
            }
            Part::Var { name, quoted: false } => {
                out.push_str("${");
                out.push_str(name);
                out.push('}');
            }
            Part::Choice(_) | Part::Dynamic { .. } => out.push_str("$(…)"),
        }
    }
    if out.is_empty() { "''".to_owned() } else { out }
}

fn push_text(text: &str, out: &mut String) {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./:=@%+,~^".contains(&byte));
    if plain {
        out.push_str(text);
    } else {
        out.push('\'');
        out.push_str(&text.replace('\'', "'\\''"));
        out.push('\'');
    }
}
