//! From tree words to public words: quote removal, braces, tilde, globs, known values, splitting.

use super::Walker;
use super::brace::{self, Atom, TooMany};
use super::known::Known;
use super::quote::render;
use super::unquoted::{At, push};
use crate::Span;
use crate::analysis::{Construct, Context, OpaqueKind, Part, Word};
use crate::syntax::ast::{self, ParamExpansion, ParamKind, WordPart};

/// A piece of a word between parsing and expansion.
#[derive(Clone, Debug)]
enum Piece {
    /// Unquoted text, in which braces, tildes and globs are active.
    Bare(String),
    /// Quoted text or an expansion.
    Fixed(Part),
    /// A place where bash splits (a blank in a known unquoted value).
    Blank,
    /// Quotes: the word exists even if nothing is in it.
    Quotes,
}

/// Variables whose values a caller may know and fill in.
const FROM_OUTSIDE: &[&str] = &["HOME", "PWD", "OLDPWD", "TMPDIR", "USER", "LOGNAME"];

/// What a word became.
pub(super) struct Expanded {
    pub(super) words: Vec<Word>,
    /// It was a brace expression.
    pub(super) braced: bool,
    /// Nothing but unquoted expansions: it may vanish.
    pub(super) vanishes: bool,
    /// It holds an expansion, even if the value is known.
    pub(super) derived: bool,
}

impl Walker<'_> {
    /// Words of a list that is expanded in full (command words, `for` words).
    pub(super) fn words(&mut self, words: &[ast::Word]) -> Vec<Word> {
        words.iter().flat_map(|word| self.expand(word).words).collect()
    }

    /// One word that is expanded in full.
    pub(super) fn expand(&mut self, word: &ast::Word) -> Expanded {
        let raw = self.raw(word.span);
        let span = self.span(word.span);
        // Most words are one run of plain text.
        if let [WordPart::Unquoted(text)] = word.parts.as_slice()
            && !text.contains(['~', '{', '*', '?', '['])
        {
            let parts = vec![Part::Text(text.clone())];
            let raw = if relexed(word, &raw) { render(&parts) } else { raw };
            return Expanded { words: vec![Word { raw, parts, span }], braced: false, vanishes: false, derived: false };
        }
        let around = std::mem::replace(&mut self.here, word.span);
        let pieces = self.pieces(&word.parts, false);
        self.here = around;
        self.check_funsub(word, &raw);
        let vanishes = !pieces.is_empty()
            && pieces.iter().all(|piece| match piece {
                Piece::Fixed(Part::Var { quoted, .. } | Part::Dynamic { quoted }) => !quoted,
                Piece::Blank => true,
                Piece::Bare(text) => text.is_empty(),
                Piece::Fixed(_) | Piece::Quotes => false,
            });
        let variants = self.braces(pieces, word.span);
        let braced = variants.len() > 1;
        let mut words = Vec::new();
        for pieces in variants {
            for parts in self.split(&pieces) {
                let raw = if braced { render(&parts) } else { raw.clone() };
                words.push(Word { raw, parts, span });
            }
        }
        if (words.len() > 1 && !braced) || relexed(word, &raw) {
            // Split, or from backquotes: the source text is that of all of them.
            for word in &mut words {
                word.raw = render(&word.parts);
            }
        }
        Expanded { words, braced, vanishes, derived: super::facts::literal(word).is_none() }
    }

    /// One word that stays one: an assigned value, a redirect target, an operand.
    pub(super) fn single(&mut self, word: &ast::Word) -> Word {
        let raw = self.raw(word.span);
        self.check_funsub(word, &raw);
        let around = std::mem::replace(&mut self.here, word.span);
        let pieces = self.pieces(&word.parts, false);
        self.here = around;
        let mut parts = Vec::new();
        let last = last_close(&pieces);
        for (index, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Bare(text) => {
                    self.bare(text, At::of(index, pieces.len(), last), true, &mut parts);
                }
                Piece::Fixed(part) => push(part.clone(), &mut parts),
                Piece::Blank => push(Part::Text(" ".into()), &mut parts),
                Piece::Quotes => {}
            }
        }
        let raw = if relexed(word, &raw) { render(&parts) } else { raw };
        Word { raw, parts, span: self.span(word.span) }
    }

    /// Walks what a word runs and drops its value.
    pub(super) fn effects_of(&mut self, word: &ast::Word) {
        if !matches!(word.parts.as_slice(), [] | [WordPart::Unquoted(_) | WordPart::Quoted(_)]) {
            let _ = self.single(word);
        }
    }

    /// The text as written.
    fn raw(&self, span: Span) -> String {
        span.slice(&self.text.source).unwrap_or_default().to_owned()
    }

    /// `${ cmd; }` runs in this shell (bash 5.3), not in a subshell as the walk takes it.
    fn check_funsub(&mut self, word: &ast::Word, raw: &str) {
        let funsub = ["${ ", "${|", "${\t", "${\n"].iter().any(|text| raw.contains(text));
        if funsub && word.parts.iter().any(|part| !matches!(part, WordPart::Unquoted(_) | WordPart::Quoted(_))) {
            self.opaque(word.span, OpaqueKind::Expansion, "`${ …; }` runs in the shell itself");
        }
    }

    fn pieces(&mut self, parts: &[WordPart], quoted: bool) -> Vec<Piece> {
        let mut pieces = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                WordPart::Unquoted(text) => pieces.push(Piece::Bare(text.clone())),
                WordPart::Quoted(text) => {
                    pieces.push(Piece::Quotes);
                    if !text.is_empty() {
                        pieces.push(Piece::Fixed(Part::Text(text.clone())));
                    }
                }
                WordPart::DoubleQuoted(inner) => {
                    // `"$@"` with no parameters is no word at all.
                    if !matches!(inner.as_slice(), [WordPart::Param(param)] if is_list(param)) {
                        pieces.push(Piece::Quotes);
                    }
                    pieces.extend(self.pieces(inner, true));
                }
                WordPart::Param(param) => self.param(param, quoted, &mut pieces),
                WordPart::CommandSub(list) => {
                    self.construct(Construct::CommandSubstitution);
                    self.skeleton("$(");
                    self.substitution(Context::CommandSubstitution, list);
                    self.skeleton(")");
                    pieces.push(Piece::Fixed(Part::Dynamic { quoted }));
                }
                WordPart::ProcessSub { list, .. } => {
                    self.construct(Construct::ProcessSubstitution);
                    self.skeleton("<(");
                    self.substitution(Context::ProcessSubstitution, list);
                    self.skeleton(")");
                    pieces.push(Piece::Fixed(Part::Dynamic { quoted: true }));
                }
                WordPart::Arith(expression) => {
                    self.arithmetic(expression);
                    pieces.push(Piece::Fixed(Part::Dynamic { quoted }));
                }
                WordPart::ArrayLiteral(items) => {
                    for (key, value) in items {
                        if let Some(key) = key {
                            self.check_arithmetic_word(key);
                            self.effects_of(key);
                        }
                        self.effects_of(value);
                    }
                    pieces.push(Piece::Fixed(Part::Dynamic { quoted: true }));
                }
            }
        }
        pieces
    }

    fn substitution(&mut self, context: Context, list: &ast::List) {
        let mark = self.enter();
        self.within(context, |walker| walker.list(list));
        self.leave_subshell(mark);
    }

    fn param(&mut self, param: &ParamExpansion, quoted: bool, pieces: &mut Vec<Piece>) {
        if let Some(subscript) = &param.subscript {
            self.effects_of(subscript);
            self.check_subscript(subscript);
        }
        for operand in &param.operands {
            self.effects_of(operand);
        }
        match param.kind {
            ParamKind::Plain if param.subscript.is_none() => return self.plain(&param.name, quoted, pieces),
            ParamKind::Slice => param.operands.iter().for_each(|operand| self.check_arithmetic_word(operand)),
            ParamKind::Indirect => {
                if !param.subscript.as_ref().is_some_and(is_all) {
                    self.opaque(
                        self.here,
                        OpaqueKind::CodeVariable,
                        format!("`${{!{}}}` may evaluate a subscript", param.name),
                    );
                }
            }
            ParamKind::TransformPrompt => {
                self.opaque(self.here, OpaqueKind::CodeVariable, "`${…@P}` expands the value as a prompt");
            }
            ParamKind::Unknown => {
                self.opaque(self.here, OpaqueKind::Expansion, "an expansion that is not understood");
            }
            ParamKind::Plain
            | ParamKind::Length
            | ParamKind::Default
            | ParamKind::Assign
            | ParamKind::Error
            | ParamKind::Alternate
            | ParamKind::Trim
            | ParamKind::Replace
            | ParamKind::Case
            | ParamKind::Transform => {}
        }
        let quoted = quoted && !is_list(param);
        pieces.push(Piece::Fixed(Part::Dynamic { quoted }));
    }

    /// `$name`
    fn plain(&mut self, name: &str, quoted: bool, pieces: &mut Vec<Piece>) {
        if name == "IFS" && !quoted && !self.facts.touched(name) {
            pieces.push(Piece::Blank);
            return;
        }
        if matches!(name, "@" | "*") {
            pieces.push(Piece::Fixed(Part::Dynamic { quoted: quoted && name == "*" }));
            return;
        }
        let Some(known) = self.values.get(name).cloned() else {
            let part = if self.still_outside(name) {
                Part::Var { name: name.to_owned(), quoted }
            } else {
                Part::Dynamic { quoted }
            };
            pieces.push(Piece::Fixed(part));
            return;
        };
        match known {
            Known::Value(parts) => {
                let size = parts.iter().map(text_len).fold(0_usize, usize::saturating_add);
                if !self.charge(size.checked_div(16).unwrap_or(0)) || (!quoted && self.facts.touched("IFS")) {
                    pieces.push(Piece::Fixed(Part::Dynamic { quoted }));
                    return;
                }
                for part in parts {
                    known_part(part, quoted, pieces);
                }
            }
            Known::Choice(values) => {
                let size = values.iter().flatten().map(text_len).fold(0_usize, usize::saturating_add);
                // Unquoted, a value would be split and its globs expanded again; file names can hold anything.
                let inert = |part: &Part| matches!(part, Part::Text(text) if is_inert(text));
                let keep = quoted || values.iter().flatten().all(inert) && !self.facts.touched("IFS");
                let part = if keep && self.charge(size.checked_div(16).unwrap_or(0)) {
                    Part::Choice(values)
                } else {
                    Part::Dynamic { quoted }
                };
                pieces.push(Piece::Fixed(part));
            }
            // The name says more than nothing, but must not be taken for a value from outside.
            Known::Integer if FROM_OUTSIDE.contains(&name) => pieces.push(Piece::Fixed(Part::Dynamic { quoted })),
            Known::Integer => pieces.push(Piece::Fixed(Part::Var { name: name.to_owned(), quoted })),
        }
    }

    /// Whether a name still holds what it held before the script.
    pub(super) fn still_outside(&mut self, name: &str) -> bool {
        if self.facts.touched(name) {
            return false;
        }
        if self.facts.wild() {
            if !FROM_OUTSIDE.contains(&name) {
                return false;
            }
            // Deny rules and the floor want the likely value; a local allow must not rely on it.
            self.opaque(self.here, OpaqueKind::Expansion, format!("`eval` may have changed `{name}`"));
        }
        true
    }

    /// Brace expansion of the pieces; one variant if there is none.
    fn braces(&mut self, pieces: Vec<Piece>, span: Span) -> Vec<Vec<Piece>> {
        let bare = |c: char| pieces.iter().any(|piece| matches!(piece, Piece::Bare(text) if text.contains(c)));
        if !bare('{') || !bare('}') {
            return vec![pieces];
        }
        let mut atoms = Vec::new();
        for (index, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Bare(text) => atoms.extend(text.chars().map(Atom::Char)),
                Piece::Fixed(_) | Piece::Blank | Piece::Quotes => atoms.push(Atom::Piece(index)),
            }
        }
        match brace::expand(&atoms) {
            Ok(words) if words.len() == 1 => vec![pieces],
            Ok(words) => {
                if !self.charge(words.len()) {
                    return vec![vec![Piece::Fixed(Part::Dynamic { quoted: false })]];
                }
                words.iter().map(|word| from_atoms(word, &pieces)).collect()
            }
            Err(TooMany::Sequence) => vec![vec![Piece::Fixed(Part::Dynamic { quoted: false })]],
            Err(TooMany::Alternatives) => {
                self.opaque(span, OpaqueKind::Limit, "a brace expression stands for more words than the limit");
                vec![vec![Piece::Fixed(Part::Dynamic { quoted: false })]]
            }
        }
    }

    /// Splitting at blanks of known values, then tilde and globs.
    fn split(&mut self, pieces: &[Piece]) -> Vec<Vec<Part>> {
        let mut words = Vec::new();
        for run in pieces.split(|piece| matches!(piece, Piece::Blank)) {
            let mut parts = Vec::new();
            let mut exists = false;
            let last = last_close(run);
            for (index, piece) in run.iter().enumerate() {
                match piece {
                    Piece::Bare(text) => {
                        exists |= !text.is_empty();
                        self.bare(text, At::of(index, run.len(), last), false, &mut parts);
                    }
                    Piece::Fixed(part) => {
                        exists = true;
                        push(part.clone(), &mut parts);
                    }
                    Piece::Quotes => exists = true,
                    Piece::Blank => {}
                }
            }
            if exists {
                words.push(parts);
            }
        }
        words
    }
}

/// The last piece that holds an unquoted closing bracket.
fn last_close(pieces: &[Piece]) -> Option<usize> {
    pieces.iter().rposition(|piece| matches!(piece, Piece::Bare(text) if text.contains(']')))
}

/// Text inside backquotes is unescaped and lexed again, so its words have no place of their own but the whole
/// substitution's. Told apart from a word that is a substitution itself.
fn relexed(word: &ast::Word, raw: &str) -> bool {
    raw.starts_with('`')
        && !word.parts.iter().any(|part| matches!(part, WordPart::CommandSub(_) | WordPart::DoubleQuoted(_)))
}

fn from_atoms(atoms: &[Atom], pieces: &[Piece]) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    for atom in atoms {
        match atom {
            Atom::Char(c) => {
                if let Some(Piece::Bare(text)) = out.last_mut() {
                    text.push(*c);
                } else {
                    out.push(Piece::Bare(c.to_string()));
                }
            }
            Atom::Piece(index) => out.extend(pieces.get(*index).cloned()),
        }
    }
    out
}

/// A part of a known value where it is used.
fn known_part(part: Part, quoted: bool, pieces: &mut Vec<Piece>) {
    match part {
        Part::Text(text) if !quoted && text.contains(['*', '?', '[', '\\']) => {
            pieces.push(Piece::Fixed(Part::Dynamic { quoted }));
        }
        Part::Text(text) if !quoted => {
            for (index, piece) in text.split([' ', '\t', '\n']).enumerate() {
                if index > 0 {
                    pieces.push(Piece::Blank);
                }
                if !piece.is_empty() {
                    pieces.push(Piece::Fixed(Part::Text(piece.to_owned())));
                }
            }
        }
        Part::Var { name, .. } => pieces.push(Piece::Fixed(Part::Var { name, quoted })),
        part @ (Part::Text(_) | Part::Glob(_) | Part::Tilde(_) | Part::Choice(_) | Part::Dynamic { .. }) => {
            pieces.push(Piece::Fixed(part));
        }
    }
}

fn text_len(part: &Part) -> usize {
    match part {
        Part::Text(text) | Part::Glob(text) | Part::Tilde(text) | Part::Var { name: text, .. } => text.len(),
        Part::Choice(_) | Part::Dynamic { .. } => 1,
    }
}

/// No blanks to split at and nothing to expand.
fn is_inert(text: &str) -> bool {
    !text.contains([' ', '\t', '\n', '*', '?', '[', '\\'])
}

/// `$@`, `${a[@]}`: any number of words, even in double quotes.
fn is_list(param: &ParamExpansion) -> bool {
    param.name == "@"
        || param.subscript.as_ref().is_some_and(|subscript| super::facts::literal(subscript).as_deref() == Some("@"))
}

/// `@` or `*` as a subscript.
fn is_all(subscript: &ast::Word) -> bool {
    matches!(super::facts::literal(subscript).as_deref(), Some("@" | "*"))
}
