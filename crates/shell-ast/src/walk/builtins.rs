//! Builtins that change what the shell does later, run text, or evaluate names.

use super::Walker;
use super::script::Process;
use super::simple::Shell;
use crate::analysis::{Assignment, OpaqueKind, Part, Word};
use crate::dispatch::{self, Dialect};

/// Variables whose value bash runs, and when (bash manual, "Bash Variables").
const CODE_VARIABLES: &[(&str, &str)] = &[
    ("PROMPT_COMMAND", "is run before each prompt"),
    ("PS0", "is expanded, substitutions included, after each command line"),
    ("PS1", "is expanded, substitutions included, at each prompt"),
    ("PS2", "is expanded, substitutions included, at each prompt"),
    ("PS3", "is shown by `select`"),
    ("PS4", "is expanded, substitutions included, before each traced command"),
    ("BASH_ENV", "names a file that every bash script runs first"),
    ("ENV", "names a file that a POSIX shell runs first"),
    ("BASH_LOADABLES_PATH", "names where builtins are loaded from"),
    ("SHELLOPTS", "sets shell options"),
    ("BASHOPTS", "sets shell options"),
];

/// Shell options that change how later text is read or what a glob matches (bash manual, "The Shopt Builtin"): the
/// analysis reads text as plain `bash -c` does.
const HARMLESS_SHOPT: &[&str] = &[
    "nullglob",
    "failglob",
    "checkwinsize",
    "cmdhist",
    "histappend",
    "histverify",
    "inherit_errexit",
    "lithist",
    "huponexit",
    "checkjobs",
    "no_empty_cmd_completion",
    "progcomp",
    "promptvars",
    "sourcepath",
];

/// `set -o` names and letters that only stop, trace or forbid.
const HARMLESS_SET: &[&str] = &[
    "errexit",
    "nounset",
    "pipefail",
    "xtrace",
    "verbose",
    "noclobber",
    "noexec",
    "noglob",
    "errtrace",
    "functrace",
    "monitor",
    "notify",
    "allexport",
    "hashall",
    "physical",
    "emacs",
    "vi",
    "ignoreeof",
];

impl Walker<'_> {
    /// Assignments to variables that hold code.
    pub(super) fn code_assignments(&mut self, assignments: &[Assignment], by: usize) {
        for assignment in assignments {
            let row = CODE_VARIABLES.iter().find(|(name, _)| *name == assignment.name);
            let function = assignment.name.starts_with("BASH_FUNC_");
            let Some((name, what)) = row.copied().or(function.then_some(("BASH_FUNC_…", "defines a function")))
            else {
                continue;
            };
            self.opaque_at(assignment.span, OpaqueKind::CodeVariable, format!("`{name}` {what}"));
            if let Some(value) = assignment.value.clone().filter(|_| name == "PROMPT_COMMAND") {
                self.words_as_script(by, &[value], Dialect::Bash, Process::Later, &[]);
            }
        }
    }

    /// What the builtin `name` does beyond running a command.
    pub(super) fn builtin(&mut self, name: &str, words: &[Word], index: usize, shell: Shell) {
        let Some((first, rest)) = words.split_first() else { return };
        let span = self.out.commands.get(index).map_or(first.span, |command| command.span);
        match name {
            "cd" | "pushd" | "popd" if shell == Shell::Same => self.change_directory(name, words),
            "eval" => {
                let rest = skip_dashes(rest);
                self.words_as_script(index, rest, Dialect::Bash, Process::Own, &[]);
                if self.facts.moves() && shell == Shell::Child {
                    self.dir = std::mem::take(&mut self.dir).or_anywhere();
                }
            }
            "source" | "." => {
                self.opaque_at(span, OpaqueKind::DynamicScript, "code from a file");
            }
            "trap" => self.trap(rest, index),
            "alias" => {
                for word in rest {
                    if let Some(alias) = dispatch::assignment(word).or_else(|| loose_assignment(word)) {
                        self.opaque_at(
                            span,
                            OpaqueKind::Shadowed,
                            format!("the alias `{}` changes what the name means", alias.name),
                        );
                        if let Some(body) = alias.value {
                            self.words_as_script(index, &[body], Dialect::Bash, Process::Later, &[]);
                        }
                    } else if word.literal().is_none() {
                        self.opaque_at(span, OpaqueKind::Shadowed, "an alias that is not literal");
                    }
                }
            }
            "unalias" => self.opaque_at(span, OpaqueKind::Shadowed, "an alias is removed"),
            "hash" if has_option(rest, 'p') => {
                self.opaque_at(span, OpaqueKind::Shadowed, "`hash -p` changes which program a name runs");
            }
            "enable"
                if !rest.is_empty()
                    && !rest.iter().all(|word| matches!(word.literal().as_deref(), Some("-a" | "-p" | "-s"))) =>
            {
                self.opaque_at(span, OpaqueKind::Shadowed, "`enable` changes which builtins there are");
            }
            "bind" if !rest.is_empty() => self.opaque_at(span, OpaqueKind::CodeVariable, "`bind` ties keys to code"),
            "complete" | "compgen"
                if !rest.is_empty() && (has_option(rest, 'C') || has_option(rest, 'F') || has_option(rest, 'W')) =>
            {
                self.opaque_at(span, OpaqueKind::CodeVariable, "completion runs code");
            }
            "mapfile" | "readarray" => {
                if has_option(rest, 'C') {
                    self.opaque_at(span, OpaqueKind::CodeVariable, "`mapfile -C` runs code for the lines it reads");
                }
                self.names(rest, "CcdnOsu");
            }
            "history" if has_option(rest, 's') || has_option(rest, 'r') => {
                self.opaque_at(span, OpaqueKind::DynamicScript, "the history can be run later");
            }
            "fc" => self.opaque_at(span, OpaqueKind::DynamicScript, "`fc` runs commands of the history"),
            "shopt" => self.shopt(rest, span),
            "set" => self.set(rest, span),
            "let" => {
                for word in rest {
                    self.check_arithmetic_operand(word);
                    self.assigns_text(&word.literal_prefix());
                }
            }
            "test" | "[" => self.test(rest, name),
            "printf" => {
                if let [option, target, ..] = rest
                    && option.literal().as_deref() == Some("-v")
                {
                    self.check_name_operand(target);
                }
                if rest.first().is_some_and(|word| {
                    word.literal().is_none() && word.literal_prefix().is_empty()
                        || word.literal().is_some_and(|text| text.starts_with("-v") && text.len() > 2)
                }) {
                    let first =
                        rest.iter().take(1).filter(|word| word.is_dynamic() || word.literal_prefix().contains('['));
                    for word in first {
                        self.opaque_at(
                            word.span,
                            OpaqueKind::Arithmetic,
                            "the first operand of `printf` may be `-v name[…]`",
                        );
                    }
                }
            }
            "read" => self.names(rest, "adinNptu"),
            "unset" => self.names(rest, ""),
            "wait" => self.wait(rest),
            "getopts" => rest.get(1).into_iter().for_each(|word| self.check_name_operand(word)),
            "declare" | "typeset" | "local" | "export" | "readonly" => self.declare(name, rest, index),
            _ => {}
        }
    }

    fn change_directory(&mut self, name: &str, words: &[Word]) {
        let stays = name != "cd" && words.iter().any(|word| word.literal().as_deref() == Some("-n"));
        if stays {
            return;
        }
        let operand = if name == "popd" { None } else { super::cwd::operand(words) };
        // With CDPATH set, `cd x` may go somewhere else entirely.
        let searched = |word: &Word| !word.literal_prefix().starts_with(['/', '.']) && word.literal().is_some();
        self.dir = match operand {
            Some(word) if !(self.facts.touched("CDPATH") && searched(&word)) => super::cwd::Dir {
                primary: super::cwd::moved(&self.dir.primary, &self.unless_home_changed(word)),
                others: self.dir.others.iter().map(|_| crate::Cwd::Unknown).collect(),
            },
            Some(_) | None => super::cwd::Dir::unknown(),
        };
        if self.dir.primary == crate::Cwd::Unknown {
            self.dir.others.clear();
        }
    }

    fn unless_home_changed(&self, mut word: Word) -> Word {
        if self.facts.touched("HOME") && word.parts.iter().any(|part| matches!(part, Part::Tilde(_))) {
            word.parts = vec![Part::Dynamic { quoted: true }];
        }
        word
    }

    fn trap(&mut self, rest: &[Word], index: usize) {
        let rest = skip_dashes(rest);
        let Some((code, signals)) = rest.split_first() else { return };
        let text = code.literal();
        if signals.is_empty() || matches!(text.as_deref(), Some("-" | "" | "-p" | "-l")) {
            return;
        }
        self.opaque_at(code.span, OpaqueKind::CodeVariable, "`trap` runs code later");
        self.words_as_script(index, std::slice::from_ref(code), Dialect::Bash, Process::Later, &[]);
    }

    fn shopt(&mut self, rest: &[Word], span: crate::Span) {
        let sets = has_option(rest, 's') || has_option(rest, 'u') || rest.iter().any(|word| word.literal().is_none());
        let harmless = |word: &Word| {
            word.literal().is_some_and(|text| {
                text.starts_with('-')
                    || HARMLESS_SHOPT.contains(&text.as_str())
                    || HARMLESS_SET.contains(&text.as_str())
            })
        };
        if sets && !rest.iter().all(harmless) {
            self.opaque_at(span, OpaqueKind::Expansion, "`shopt` changes how later text is read");
        }
    }

    fn set(&mut self, rest: &[Word], span: crate::Span) {
        let mut rest = rest.iter();
        while let Some(word) = rest.next() {
            let Some(text) = word.literal() else {
                if !word.literal_prefix().is_empty() && !word.literal_prefix().starts_with(['-', '+']) {
                    return;
                }
                return self.opaque_at(span, OpaqueKind::Expansion, "`set` with options that are not literal");
            };
            let Some(letters) = text.strip_prefix(['-', '+']).filter(|letters| !letters.is_empty()) else { return };
            if letters == "-" {
                return;
            }
            let name_follows = letters.contains('o');
            let harmless = letters.chars().all(|c| "eufxvCnbhmETPoa".contains(c));
            let named = !name_follows
                || rest
                    .next()
                    .is_none_or(|name| name.literal().is_some_and(|name| HARMLESS_SET.contains(&name.as_str())));
            if !harmless || !named {
                return self.opaque_at(span, OpaqueKind::Expansion, "`set` changes how later text is read");
            }
        }
    }

    /// Operands that are names, past options of which those in `valued` take a value.
    fn names(&mut self, rest: &[Word], valued: &str) {
        let mut rest = rest.iter().peekable();
        let mut options = true;
        while let Some(word) = rest.next() {
            let text = word.literal();
            let cluster = text.as_deref().and_then(|text| text.strip_prefix('-')).filter(|_| options);
            match cluster {
                Some("-") => options = false,
                Some(cluster) => {
                    let takes = cluster.find(|c| valued.contains(c));
                    let last = takes.is_some_and(|at| at.saturating_add(1) == cluster.len());
                    let is_name = cluster.ends_with(['a', 'p']) && last;
                    if last {
                        let value = rest.next();
                        // `read -a name`, `wait -p name`; the prompt of `read -p` is only text.
                        if is_name
                            && (cluster.ends_with('a') || valued == "p")
                            && let Some(word) = value
                        {
                            self.check_name_operand(word);
                        }
                    }
                }
                None => {
                    options = false;
                    self.check_name_operand(word);
                }
            }
        }
    }

    /// `wait -p name`; an unknown operand may be that option.
    fn wait(&mut self, rest: &[Word]) {
        let mut named = false;
        for word in rest {
            let splits = self.splits(word);
            if named || splits {
                self.check_name_operand(word);
            }
            named = word.literal().is_some_and(|text| text.starts_with('-') && text.ends_with('p'));
        }
    }

    /// An unquoted value that may become other words than one.
    fn splits(&self, word: &Word) -> bool {
        word.parts.iter().any(|part| match part {
            Part::Var { name, quoted: false } => !self.is_integer_name(name),
            Part::Dynamic { quoted: false } => true,
            Part::Text(_)
            | Part::Glob(_)
            | Part::Tilde(_)
            | Part::Choice(_)
            | Part::Var { .. }
            | Part::Dynamic { .. } => false,
        })
    }

    fn declare(&mut self, name: &str, rest: &[Word], index: usize) {
        let span = self.out.commands.get(index).map(|command| command.span).unwrap_or_default();
        if has_option(rest, 'n') && name != "export" && name != "readonly" {
            self.opaque_at(span, OpaqueKind::Arithmetic, "a name reference stands for another variable");
        }
        if name == "export" && has_option(rest, 'f') {
            self.opaque_at(span, OpaqueKind::Shadowed, "an exported function changes what a name means in children");
        }
        let integer = has_option(rest, 'i');
        for word in rest {
            if word.literal_prefix().starts_with(['-', '+']) {
                continue;
            }
            self.check_name_operand(word);
            let Some(assignment) = dispatch::assignment(word) else { continue };
            if integer {
                assignment.value.iter().for_each(|value| self.check_arithmetic_operand(value));
            }
            if matches!(name, "export" | "readonly") && !assignment.append {
                self.learn(&assignment);
            }
            self.code_assignments(&[assignment], index);
        }
    }

    /// `test` and `[`: only `-v` and `-R` take names, but an unknown word may be one of them.
    fn test(&mut self, rest: &[Word], name: &str) {
        let rest = match rest.split_last() {
            Some((_, before)) if name == "[" => before,
            _ => rest,
        };
        for (index, word) in rest.iter().enumerate() {
            let next = rest.get(index.saturating_add(1));
            if matches!(word.literal().as_deref(), Some("-v" | "-R"))
                && let Some(word) = next
            {
                self.check_name_operand(word);
            }
            let splits = self.splits(word);
            let operator = rest.len() == 2 && index == 0 && word.literal().is_none();
            if splits || operator {
                self.opaque_at(word.span, OpaqueKind::Arithmetic, "this value may be `-v name[…]`");
            }
        }
    }
}

fn skip_dashes(rest: &[Word]) -> &[Word] {
    match rest.split_first() {
        Some((first, after)) if first.literal().as_deref() == Some("--") => after,
        Some(_) | None => rest,
    }
}

/// Some word is an option cluster with this letter.
fn has_option(rest: &[Word], letter: char) -> bool {
    rest.iter().any(|word| {
        let text = word.literal_prefix();
        text.strip_prefix('-').is_some_and(|cluster| !cluster.starts_with('-') && cluster.contains(letter))
    })
}

/// `name=body` with a name that is no variable name (`alias ..='cd ..'`).
fn loose_assignment(word: &Word) -> Option<Assignment> {
    let text = word.literal()?;
    let (name, body) = text.split_once('=')?;
    let value = Word { raw: body.to_owned(), parts: vec![Part::Text(body.to_owned())], span: word.span };
    Some(Assignment { name: name.to_owned(), value: Some(value), append: false, span: word.span })
}
