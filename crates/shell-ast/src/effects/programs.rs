//! Programs whose arguments are a language of their own.

use super::judge::Judge;
use super::options::Parsed;
use super::spec::Usage;
use super::words::{Shape, text_word};
use super::{AccessMode, EffectKind, awk, redirects, sed};
use crate::analysis::Word;

/// The literal program texts of options `names`, or else of the first operand; the operands that remain.
fn program<'p, 'a>(parsed: &'p Parsed<'a>, names: &[&str]) -> (Vec<Option<String>>, &'p [&'a Word]) {
    let given: Vec<_> = parsed
        .options
        .iter()
        .filter(|seen| names.contains(&&*seen.name))
        .map(|seen| seen.value.as_deref().and_then(Word::literal))
        .collect();
    if !given.is_empty() || parsed.has(&["-f", "--file", "--from-file"]) {
        return (given, &parsed.operands);
    }
    match parsed.operands.split_first() {
        Some((first, rest)) => (vec![first.literal()], rest),
        None => (Vec::new(), &[]),
    }
}

/// `sed [OPTION…] SCRIPT [FILE…]`
pub(super) fn sed(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    let (scripts, files) = program(parsed, &["-e", "--expression"]);
    let edits = parsed.has(&["-i", "--in-place", "-I"]);
    for file in files {
        judge.touch(if edits { AccessMode::Write } else { AccessMode::Read }, file, false);
    }
    let Some(scripts) = scripts.into_iter().collect::<Option<Vec<_>>>() else {
        return judge.raise(EffectKind::Unknown, "its script is not literal, and sed scripts can write and run");
    };
    // Several `-e` are joined by line breaks (sed(1)).
    match sed::deeds(&scripts.join("\n")) {
        Err(why) => judge.raise(EffectKind::Unknown, format!("its script holds {why}")),
        Ok(deeds) => {
            for deed in deeds {
                match deed {
                    sed::Deed::Reads(file) => {
                        judge.touch(AccessMode::Read, &text_word(&file), false);
                    }
                    sed::Deed::Writes(file) if redirects::is_no_file(&file) => {}
                    sed::Deed::Writes(file) => {
                        judge.touch(AccessMode::Write, &text_word(&file), false);
                        judge.raise(EffectKind::WritesFiles, "`w` in its script writes a file");
                    }
                    sed::Deed::Runs => {
                        judge.raise(EffectKind::ExecutesCode, "`e` in its script runs a command");
                    }
                }
            }
        }
    }
}

/// `awk [OPTION…] PROGRAM [FILE | NAME=VALUE …]`
pub(super) fn awk(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    let (programs, files) = program(parsed, &["-e", "--source"]);
    // This library rewrites the files (gawk manual, "Extension Sample Inplace").
    let edits =
        parsed.value(&["-i", "--include"]).is_some_and(|library| library.literal_prefix().starts_with("inplace"));
    for file in files {
        // `NAME=VALUE` assigns a variable of the program; ENVIRON, ARGV and code are out of its reach.
        let head = file.literal_prefix();
        let assigns = head.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        });
        if !assigns {
            judge.touch(if edits { AccessMode::Write } else { AccessMode::Read }, file, false);
        }
        // gawk opens a connection for such a name (gawk manual, "TCP/IP Networking").
        if super::words::may_begin_with(file, "/inet") {
            judge.raise(EffectKind::Network, "`/inet/…` is a connection");
        }
    }
    for program in programs {
        let Some(program) = program else {
            judge.raise(EffectKind::Unknown, "its program is not literal, and awk programs can write and run");
            continue;
        };
        match awk::deed(&program) {
            None => {}
            Some(awk::Deed::Runs) => {
                judge.raise(EffectKind::ExecutesCode, "its program runs commands");
            }
            Some(awk::Deed::Writes) => {
                judge.unknown_access(AccessMode::Write, false);
                judge.raise(EffectKind::WritesFiles, "its program prints to a file");
            }
            Some(awk::Deed::Reads) => {
                judge.unknown_access(AccessMode::Read, false);
                judge.raise(EffectKind::Unknown, "its program reads files that it names itself");
            }
            Some(awk::Deed::Secret) => judge.secret("its program reads the environment"),
            Some(awk::Deed::Unknown) => {
                judge.raise(EffectKind::Unknown, "its program is not understood");
            }
        }
    }
}

/// `jq [OPTION…] FILTER [FILE…]`: filters can't write or run; `env` and `$ENV` give the environment.
pub(super) fn jq(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    let (filters, files) = program(parsed, &[]);
    // `--args` and `--jsonargs` make all later operands text, and `-n` opens files only for `input`: both stay reads,
    // since text that is no name of a secret file does no harm as one.
    for file in files {
        judge.touch(AccessMode::Read, file, false);
    }
    for filter in filters {
        match filter {
            None => judge.raise(EffectKind::Unknown, "its filter is not literal, and filters can read the environment"),
            Some(filter) => filter_secrets(judge, &filter),
        }
    }
}

/// `env`, `$ENV` of jq; `env()`, `strenv()`, `load()` of yq.
pub(super) fn filter_secrets(judge: &mut Judge<'_>, filter: &str) {
    let is_part = |byte: char| byte.is_ascii_alphanumeric() || byte == '_';
    for (index, word) in filter.split(|byte| !is_part(byte)).enumerate() {
        let _ = index;
        match word {
            "ENV" | "strenv" | "envsubst" => judge.secret("its filter reads the environment"),
            "load" | "load_str" | "load_xml" | "load_props" | "load_base64" | "modulemeta" | "import" | "include"
            | "get_search_list" | "system" | "eval" => {
                judge.raise(EffectKind::Unknown, format!("`{word}` in its filter reaches beyond its input"));
            }
            _ => {}
        }
    }
    // `.env` is a field, `env` alone the environment.
    let mut from = 0_usize;
    while let Some(found) = filter.get(from..).and_then(|rest| rest.find("env")) {
        let start = from.saturating_add(found);
        let end = start.saturating_add(3);
        let before = filter.get(..start).and_then(|text| text.chars().next_back());
        let after = filter.get(end..).and_then(|text| text.chars().next());
        let whole = !before.is_some_and(|letter| is_part(letter) || letter == '.' || letter == '"')
            && !after.is_some_and(|letter| is_part(letter) || letter == ':' || letter == '"');
        if whole {
            judge.secret("its filter reads the environment");
        }
        from = end;
    }
}

/// `yq` of Mike Farah, whose expressions also hold `load()`.
pub(super) fn yq(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    let edits = parsed.has(&["-i", "--inplace", "--in-place"]);
    // `yq e EXPRESSION FILE`: the expression is the second word then, so each is looked at.
    let operands = match parsed.operands.as_slice() {
        [first, rest @ ..]
            if first.literal().is_some_and(|text| matches!(&*text, "e" | "ea" | "eval" | "eval-all")) =>
        {
            rest
        }
        operands => operands,
    };
    for text in operands.iter().filter_map(|word| word.literal()) {
        filter_secrets(judge, &text);
    }
    // The two programs of that name differ in which of these take a value.
    if parsed.options.iter().any(|seen| {
        matches!(&*seen.name, "-I" | "-o" | "-p")
            && seen.value.as_ref().is_some_and(|value| value.literal_prefix().starts_with('-'))
    }) {
        judge.raise(EffectKind::Unknown, "a value could be an option");
    }
    let (filter, files) = match operands {
        [only] if only.literal().is_some_and(|text| looks_like_file(&text)) => (None, operands),
        [filter, files @ ..] => (Some(filter), files),
        [] => (None, operands),
    };
    for file in files {
        judge.touch(if edits { AccessMode::Write } else { AccessMode::Read }, file, false);
    }
    match filter.map(|filter| filter.literal()) {
        None => {}
        Some(None) => judge.raise(EffectKind::Unknown, "its expression is not literal"),
        Some(Some(filter)) => filter_secrets(judge, &filter),
    }
}

fn looks_like_file(text: &str) -> bool {
    [".yml", ".yaml", ".json"].iter().any(|end| text.ends_with(end)) && !text.starts_with('.')
}

/// `dd if=FILE of=FILE …`
pub(super) fn dd(judge: &mut Judge<'_>) {
    judge.raise(EffectKind::ReadOnly, "copies its input to its output");
    for word in judge.words {
        let shape = Shape::of(word);
        let Some((key, _)) = shape.head.split_once('=') else {
            judge.raise(EffectKind::Unknown, format!("`{}` is not in its table", word.raw));
            continue;
        };
        let value = super::words::suffix(word, &shape, key.len().saturating_add(1));
        match key {
            "if" => judge.touch(AccessMode::Read, &value, false),
            "of" if value.literal().is_some_and(|name| redirects::is_no_file(&name)) => {}
            "of" => {
                judge.touch(AccessMode::Write, &value, false);
                judge.raise(EffectKind::WritesFiles, "`of=`: writes the named file");
            }
            "bs" | "cbs" | "conv" | "count" | "ibs" | "iflag" | "obs" | "oflag" | "seek" | "skip" | "status"
            | "iseek" | "oseek" => {}
            _ => judge.raise(EffectKind::Unknown, format!("`{}` is not in its table", word.raw)),
        }
    }
}

/// `date [+FORMAT]`: any other operand sets the clock.
pub(super) fn date(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    for word in &parsed.operands {
        if !word.literal_prefix().starts_with('+') || Shape::of(word).splits {
            judge.raise(EffectKind::ChangesSystem, "an operand without `+` sets the clock");
        }
    }
}

/// A pager: safe at the end of a pipe only, and without `+COMMAND` (less(1)).
pub(super) fn less(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    if parsed.operands.iter().any(|word| !word.literal_prefix().starts_with(|first: char| first != '+')) {
        judge.raise(EffectKind::ExecutesCode, "`+` gives the pager a command, which can run programs");
    }
    if judge.command.place.pipe == crate::PipePosition::Alone {
        judge.raise(
            EffectKind::ExecutesCode,
            "a pager outside of a pipe runs commands that are typed, and preprocessors",
        );
    }
}

/// `env` without a command prints the environment; with one that the analysis could not tell it runs it.
pub(super) fn env(judge: &mut Judge<'_>) {
    if judge.words.is_empty() {
        judge.raise(EffectKind::ReadOnly, "prints the environment");
        judge.secret("prints the environment");
    } else {
        judge.raise(EffectKind::Unknown, "runs a command that is not known");
        judge.secret("may print the environment");
    }
}

/// `printenv NAME…`
pub(super) fn printenv(judge: &mut Judge<'_>) {
    judge.raise(EffectKind::ReadOnly, "prints the environment");
    let harmless = !judge.words.is_empty()
        && judge.words.iter().all(|word| {
            word.literal()
                .is_some_and(|name| matches!(&*name, "HOME" | "PATH" | "PWD" | "SHELL" | "USER" | "LANG" | "TERM"))
        });
    if !harmless {
        judge.secret("prints the environment");
    }
}

/// `tar`: the mode letter decides. Old style (`tar xvf a`) has no dash.
pub(super) fn tar(judge: &mut Judge<'_>, usage: &Usage) {
    let words = judge.words;
    let old_style = words.first().and_then(Word::literal).filter(|first| !first.starts_with('-') && !first.is_empty());
    match old_style {
        None => judge.usage(usage, words),
        Some(cluster) => old_tar(judge, &cluster),
    }
}

/// Old style: letters first, then their values in order.
fn old_tar(judge: &mut Judge<'_>, cluster: &str) {
    let mut values = judge.words.iter().skip(1);
    let mode = cluster.chars().find(|letter| "tcxruAd".contains(*letter));
    for letter in cluster.chars() {
        match letter {
            'f' => archive(judge, values.next(), mode),
            'C' | 'b' | 'X' | 'T' | 'g' | 'K' | 'N' | 'V' | 'F' | 'I' | 'L' | 'H' => {
                values.next();
                if !matches!(letter, 'C' | 'b') {
                    judge.raise(EffectKind::Unknown, format!("`{letter}` is not in its table"));
                }
            }
            't' | 'c' | 'x' | 'r' | 'u' | 'A' | 'd' | 'v' | 'z' | 'j' | 'J' | 'p' | 'O' | 'k' | 'm' | 'h' | 'a' => {}
            _ => judge.raise(EffectKind::Unknown, format!("`{letter}` is not in its table")),
        }
    }
    let members: Vec<&Word> = values.collect();
    if members.iter().any(|word| Shape::of(word).dash() != super::words::Dash::No) {
        judge.raise(EffectKind::Unknown, "an operand could be an option that runs a program");
    }
    members_of(judge, mode, &members, None);
}

fn archive(judge: &mut Judge<'_>, word: Option<&Word>, mode: Option<char>) {
    let Some(word) = word else { return };
    // `host:file` runs rsh; `--rsh-command` names it.
    if word.literal_prefix().contains(':') {
        judge.raise(EffectKind::Network, "an archive `host:file` is on another machine");
    }
    let reads = matches!(mode, Some('t' | 'x' | 'd'));
    judge.touch(if reads { AccessMode::Read } else { AccessMode::Write }, word, false);
}

fn members_of(judge: &mut Judge<'_>, mode: Option<char>, members: &[&Word], dir: Option<&Word>) {
    match mode {
        Some('t') => judge.raise(EffectKind::ReadOnly, "lists an archive"),
        Some('d') => {
            judge.access(AccessMode::Read, text_word("."), true);
            judge.raise(EffectKind::ReadOnly, "compares an archive with files");
        }
        Some('x') => {
            let target = dir.cloned().unwrap_or_else(|| text_word("."));
            judge.touch(AccessMode::Write, &target, true);
            judge.raise(EffectKind::WritesFiles, "unpacks an archive");
        }
        Some('c' | 'r' | 'u' | 'A') => {
            for member in members {
                judge.touch(AccessMode::Read, member, true);
            }
            judge.raise(EffectKind::WritesFiles, "writes an archive");
        }
        Some(_) | None => judge.raise(EffectKind::Unknown, "what it does with the archive is not known"),
    }
}

/// The mode of a `tar` with dashes.
pub(super) fn tar_mode(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    const MODES: &[(&str, char)] = &[
        ("-t", 't'),
        ("--list", 't'),
        ("-x", 'x'),
        ("--extract", 'x'),
        ("--get", 'x'),
        ("-c", 'c'),
        ("--create", 'c'),
        ("-r", 'r'),
        ("--append", 'r'),
        ("-u", 'u'),
        ("--update", 'u'),
        ("-A", 'A'),
        ("--catenate", 'A'),
        ("-d", 'd'),
        ("--diff", 'd'),
        ("--compare", 'd'),
    ];
    let mode = MODES.iter().find(|(name, _)| parsed.has(&[name])).map(|(_, mode)| *mode);
    archive(judge, parsed.value(&["-f", "--file"]), mode);
    let to_stdout = parsed.has(&["-O", "--to-stdout"]);
    if mode == Some('x') && to_stdout {
        return judge.raise(EffectKind::ReadOnly, "prints members of an archive");
    }
    members_of(judge, mode, &parsed.operands, parsed.value(&["-C", "--directory"]));
}
