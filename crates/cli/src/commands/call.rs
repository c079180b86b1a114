//! The one call that `check` and `explain` are about.

use portcullis_gate::{Mode, Person, Reach};
use serde_json::{Value, json};

use crate::{
    ambient::Ambient,
    args::CallArgs,
    commands::Failure,
    compose::{Memory, Request, parse_json},
    hosts::CallEvent,
};

/// What the arguments ask for.
pub(crate) fn request(args: &CallArgs, ambient: &Ambient) -> Result<Request, Failure> {
    let input = match &args.input {
        Some(text) => parse_json(text).map_err(|error| Failure::usage(format!("--input is not JSON: {error}")))?,
        None => command(args)?,
    };
    let call = CallEvent {
        tool: args.tool.clone(),
        input,
        cwd: directory(args, ambient)?,
        session: args.session.clone(),
        mode: mode(args)?,
        can_ask: !args.non_interactive,
        conversation: None,
    };
    Ok(Request { call, person: person(args), reach: reach(args), memory: Memory::Look })
}

/// The permission mode that was named.
pub(crate) fn mode(args: &CallArgs) -> Result<Option<Mode>, Failure> {
    let parse = |name: &String| name.parse().map_err(|error| Failure::usage(format!("--mode `{name}` is {error}")));
    args.mode.as_ref().map(parse).transpose()
}

/// Whether somebody can be asked.
pub(crate) fn person(args: &CallArgs) -> Person {
    if args.non_interactive { Person::Absent } else { Person::HostAsks }
}

/// How far the decision may reach.
pub(crate) fn reach(args: &CallArgs) -> Reach {
    if args.local { Reach::LocalOnly } else { Reach::Full }
}

/// The call's directory: absolute, not resolved.
pub(crate) fn directory(args: &CallArgs, ambient: &Ambient) -> Result<String, Failure> {
    let here = ambient.cwd.as_ref();
    let directory = match (&args.cwd, here) {
        (Some(named), _) if named.is_absolute() => named.clone(),
        (Some(named), Some(here)) => here.join(named),
        (None, Some(here)) => here.clone(),
        (Some(_) | None, None) => {
            return Err(Failure::usage("the current directory is gone: name an absolute one with --cwd"));
        }
    };
    directory
        .to_str()
        .map(str::to_owned)
        .ok_or_else(|| Failure::usage(format!("the directory {} is not Unicode", directory.display())))
}

/// One word is a script as typed; several are an argument list, each to arrive as it is.
fn command(args: &CallArgs) -> Result<Value, Failure> {
    let script = match args.words.as_slice() {
        [] => {
            return Err(Failure::usage(
                "no call is given: write a command after `--`, or name --input, as in\n  portcullis check -- git status",
            ));
        }
        [script] => script.clone(),
        words => words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" "),
    };
    Ok(json!({ "command": script }))
}

/// Quotes a word for bash, if it needs it.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_words_reach_bash_as_they_are() {
        for (word, quoted) in [
            ("git", "git"),
            ("--a=b", "--a=b"),
            ("a b", "'a b'"),
            ("$(x)", "'$(x)'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("~", "'~'"),
        ] {
            assert_eq!(quote(word), quoted);
        }
    }
}
