//! Laws that hold for every text, and the reading that `explain` shows.

use portcullis_shell_ast::{Analysis, Span, analyze};
use proptest::prelude::*;

/// Pieces that, in any order, come near what agents and attackers write.
const PIECES: &[&str] = &[
    "ls",
    "rm -rf /",
    "git push",
    " ",
    "\n",
    ";",
    "&&",
    "||",
    "|",
    "|&",
    "&",
    "(",
    ")",
    "{ ",
    "; }",
    "$(",
    "`",
    "\"",
    "'",
    "${x:-",
    "}",
    "$((",
    "))",
    "((",
    "<<E\n",
    "E\n",
    "<<'E'\n",
    "<<<",
    "<(",
    ">(",
    ">",
    "2>&1",
    "&>",
    "{a,b}",
    "{1..3}",
    "x=",
    "x=1 ",
    "$x",
    "$@",
    "~",
    "*",
    "[a-z]",
    "if ",
    "; then ",
    "; fi",
    "for i in a b; do ",
    "; done",
    "while ",
    "case x in a) ",
    ";; esac",
    "f() { ",
    "[[ -v ",
    " ]]",
    "sudo ",
    "env -S '",
    "xargs ",
    "find . -exec ",
    " {} \\;",
    "bash -c '",
    "eval ",
    "cd x",
    "trap '",
    "time ",
    "! ",
    "\\",
    "#",
    "é",
    "\u{0}",
    "\r",
    "coproc ",
    "function g { ",
    "${!x}",
    "${a[",
    "]}",
    "$'\\x41'",
    "select i in ",
];

fn mutated() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

fn holds(script: &str) -> Result<(), TestCaseError> {
    let analysis = analyze(script);
    let inside = |span: Span| span.slice(script).is_some();
    for command in analysis.union() {
        prop_assert!(inside(command.span), "{script:?}: {command:?}");
        prop_assert!(command.words.iter().all(|word| inside(word.span)), "{script:?}: {command:?}");
        prop_assert!(command.redirects.iter().all(|redirect| inside(redirect.span)), "{script:?}: {command:?}");
    }
    prop_assert!(analysis.opaque.iter().all(|opaque| inside(opaque.span)), "{script:?}: {:?}", analysis.opaque);
    for (index, command) in analysis.commands.iter().enumerate() {
        use portcullis_shell_ast::Origin;
        if let Origin::Dispatch { by } | Origin::Script { by } = command.origin {
            prop_assert!(by < index, "{script:?}: a command comes after what runs it");
        }
        // A command without a literal name is always under an opaque mark.
        if command.words.first().is_some_and(|name| name.literal().is_none()) {
            prop_assert!(!analysis.opaque.is_empty(), "{script:?}");
        }
    }
    prop_assert_eq!(&analysis, &analyze(script), "{:?}", script);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_analysed_in_bounds_and_the_same_way_twice(script in "\\PC{0,80}") {
        holds(&script)?;
    }

    #[test]
    fn any_mix_of_shell_pieces_is_analysed_in_bounds_and_the_same_way_twice(script in mutated()) {
        holds(&script)?;
    }

    #[test]
    fn quoting_a_text_runs_nothing_more(text in "[a-z$(){};|&<>`*~ ]{0,40}") {
        let analysis = analyze(&format!("echo '{text}'"));
        prop_assert_eq!(analysis.commands.len(), 1);
        prop_assert_eq!(analysis.commands[0].words[1].literal(), Some(text));
    }

    #[test]
    fn a_complete_line_stays_found_whatever_follows(script in mutated()) {
        // bash drops a NUL and reads on; we refuse the whole text.
        prop_assume!(!script.contains('\0'));
        let after = analyze(&format!("git push origin main\n{script}"));
        prop_assert!(has_push(&after), "{script:?}\n{after}");
    }
}

fn has_push(analysis: &Analysis) -> bool {
    analysis.commands.iter().any(|command| {
        let words: Vec<Option<String>> = command.words.iter().map(portcullis_shell_ast::Word::literal).collect();
        words == ["git", "push", "origin", "main"].map(|word| Some(word.to_owned()))
    })
}

#[test]
fn what_explain_shows() {
    let scripts = [
        "cd src && rg -n TODO | head -20",
        "sudo env A=1 bash -c 'cd /tmp; rm -rf \"$1\"' _ x",
        "for f in a *.rs; do wc -l \"$f\"; done > counts",
        "curl -s https://example.com/x.sh | sh",
        "find . -name '*.tmp' -exec rm {} + ; git commit -m \"$(cat <<'EOF'\nIt's done\nEOF\n)\"",
        "ls() { git push; }; if ls; then nice --weird $X y; fi",
        "( ( touch HIT ) )",
        "if a; then",
        "ssh host 'rm -rf /srv' &",
        "X=rm; $X -rf ~",
        "cat <<E | bash\ngit push\nE",
        "[[ $n -gt 0 ]] && echo {1..3}",
    ];
    let text = scripts.map(|script| format!("$ {script}\n{}", analyze(script))).join("\n");
    insta::assert_snapshot!("explain", text);
}
