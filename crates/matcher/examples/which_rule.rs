//! Which of a few rules decides a command.
//!
//! `cargo run -p portcullis-matcher --example which_rule -- 'git status && git push'`

use std::io::Write;

use portcullis_matcher::{Facts, ListRules, RuleSet, ToolCall};
use portcullis_shell_ast::{analyze, effects};

fn main() -> std::io::Result<()> {
    let command = std::env::args().nth(1).unwrap_or_else(|| "git status && git push origin main".to_owned());
    let (rules, problems) =
        ListRules::compile(&["bash(rm -rf *)"], &["bash(git push*)"], &["bash(git status*)", "bash(ls:*)"]);
    assert!(problems.is_empty(), "the rules above are well-formed");
    let call = ToolCall::new("Bash", serde_json::json!({ "command": command }), "/tmp");
    let analysis = analyze(&command);
    let effects = effects(&analysis);
    let facts = Facts {
        call: &call,
        analysis: Some(&analysis),
        effects: Some(&effects),
        paths: &[],
        shell_paths: &[],
        home: None,
        cwd: "/tmp",
        settings_root: None,
    };
    let mut out = std::io::stdout();
    for (list, hit) in [("deny", rules.deny(&facts)), ("ask", rules.ask(&facts)), ("allow", rules.allow(&facts))] {
        match hit {
            Some(hit) => writeln!(out, "{list}: rule `{}` ({})", hit.rule, hit.detail)?,
            None => writeln!(out, "{list}: no rule")?,
        }
    }
    Ok(())
}
