//! Real bash as the judge: of syntax, and of which commands run.

use std::process::{Command, Output, Stdio};

use super::table::{found, rows};

/// Runs bash with the script as `-c` text; `None` if there is no bash.
fn bash(arguments: &[&str], script: &str) -> Option<Output> {
    // Some generated scripts loop for ever.
    Command::new("timeout")
        .args(["5", "bash"])
        .args(arguments)
        .args(["--", script])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("LC_ALL", "C.UTF-8")
        // A function by the name of `hit`, which says that it ran.
        .env("BASH_FUNC_hit%%", "() { echo HIT-RAN >&2; }")
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::null())
        .output()
        .ok()
}

fn bash_is_5_2() -> bool {
    let version = bash(&["-c"], "echo ${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}");
    let found = version.is_some_and(|output| output.stdout == b"5.2\n");
    if !found {
        eprintln!("skipped: no bash 5.2 here to compare with");
    }
    found
}

/// `bash -n` accepts it. Its status is 0 for some errors in `[[ ]]`, so its messages count too.
fn bash_accepts(script: &str) -> bool {
    let Some(output) = bash(&["-n", "-c"], script) else { return false };
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    let refused = ["syntax error", "unexpected", "conditional", "maximum here"];
    output.status.success() && !refused.iter().any(|text| messages.contains(text))
}

#[test]
fn bash_accepts_every_row_that_we_accept() {
    if !bash_is_5_2() {
        return;
    }
    let mut wrong = Vec::new();
    for row in rows().iter().filter(|row| !row.script.contains('\0')) {
        let ours = row.run.is_some();
        match (bash_accepts(&row.script), ours) {
            (true, false) if !row.strict => wrong.push(format!("bash accepts, no reason given: {:?}", row.script)),
            (false, true) => wrong.push(format!("bash refuses: {:?}", row.script)),
            (false, false) if row.strict => wrong.push(format!("marked strict, but bash refuses: {:?}", row.script)),
            (true | false, _) => {}
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// A small generator with a fixed seed (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0.checked_rem(bound as u64).expect("a bound")).expect("small")
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// Ways to stand around a list `L` of commands, giving a list again.
const LISTS: [&str; 44] = [
    "( L )",
    "((L) )",
    "( (L) )",
    "( ( L ) )",
    "{ L; }",
    "echo $(L)",
    "echo \"$(L)\"",
    "echo `L`",
    "x=$(L)",
    "x=( $(L) )",
    "echo ${x:-$(L)}",
    "echo \"${x:-$(L)}\"",
    "echo \"${x:-'$(L)'}\"",
    "echo ${x:-'$(L)'}",
    "echo $(( $(L; echo 1) ))",
    "echo $(( (L) ))",
    "echo $((L); echo)",
    "cat <<E\n$(L)\nE",
    "cat <<'E'\n$(L)\nE",
    "cat <<E ; L\nx\nE",
    "cat <<E; echo $(L)\nE",
    "cat <<\"E\"\n\"\nE\nL",
    "cat <<-E\n\t$(L)\n\tE",
    "if L; then :; fi",
    "if :; then L; fi",
    "while L; break; do :; done",
    "for x in $(L); do :; done",
    "for x in 1; { L; }",
    "for ((i=$(L; echo 1); i<1; i++)); do :; done",
    "case $(L) in *) ;; esac",
    "case x in $(L)) ;; esac",
    "case x in (x) L;; esac",
    "case x in y) ;; x) L ;& z) :; esac",
    "[[ -n $(L) ]]",
    "[[ x =~ $(L)x ]]",
    "f() { L; }; f",
    "f() ( L ); f",
    "function f { L; }; f",
    "! L",
    "time -p L",
    "cat < <(L)",
    "echo <(L) >/dev/null",
    "a[$(L; echo 1)]=2",
    "{ L; } 2>&1 | cat >&2",
];

/// Text that hides or shows what follows, depending on how well quotes are read. `L` as above.
const TRAPS: [&str; 40] = [
    "echo '; L; '",
    "echo \\'; L; echo \\'",
    "echo $'\\'; L; echo \\''",
    "echo \\$'\\'; L; #'\\'",
    "echo $$'\\'; L; #'\\'",
    "echo # L",
    "echo a#b; L",
    "echo \"a\\\"; L; echo \\\"b\"",
    "echo ${#x}; L",
    "echo $#; L",
    "echo \\\n; L",
    "# x \\\nL",
    "echo '\\'; L",
    "cat <<E\nE\nL",
    "cat <<E\nE \nL\nE",
    "cat <<'a\\b'\nx\na\\b\nL",
    "cat <<$'E'\nx\nE\nL",
    "cat <<\\E\n$(L)\nE",
    "cat <<E\"F\"\nL\nEF\nL",
    "cat <<E\nx\\\nE\nL\nE",
    "cat <<E\nE\\\n\nL",
    "cat <<E <<F\nE\nL\nF\nL",
    "echo ${x#'}'}; L",
    "echo \"${x#'}'}\"; L",
    "echo ${x:-\\}}; L",
    "echo $(echo ')' ; L)",
    "echo $(case x in x) L;; esac)",
    "echo $(# )\nL)",
    "echo \"$(echo '\"')\"; L",
    "echo `echo \\`L\\``",
    "echo \"`echo \\\"; L; echo \\\"`\"",
    "echo $((1<<2)); L",
    "x=$((1)) L",
    "{ L; } <<E\nE",
    "echo <<<E; L",
    "if :; then L; fi <<E\nE",
    "echo \\`L\\`",
    "echo \"'$(L)'\"",
    "echo '\"$(L)\"'",
    "echo ${x/'/'/$(L)}; L",
];

fn script(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(8) == 0 {
        return random.pick(&["hit", "hit", "hit", ":", "h\\it", "'hit'", "\"\"hit", "$'\\x68it'"]).to_owned();
    }
    let shape = if random.below(2) == 0 { random.pick(&LISTS) } else { random.pick(&TRAPS) };
    let inner = script(random, depth.saturating_sub(1));
    let joined = match random.below(4) {
        0 => format!("{inner}\n: "),
        1 => format!(": && {inner}"),
        _ => inner,
    };
    shape.replace('L', &joined)
}

/// Rows with one piece cut out, doubled or put elsewhere: `bash -n` runs nothing of them.
#[test]
fn bash_accepts_every_mutated_row_that_we_accept() {
    if !bash_is_5_2() {
        return;
    }
    let rows = rows();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut both, mut wrong) = (0, Vec::new());
    for _ in 0..count(600) {
        let mut script: Vec<char> = rows[random.below(rows.len())].script.chars().filter(|&c| c != '\0').collect();
        if script.is_empty() {
            continue;
        }
        let at = random.below(script.len());
        match random.below(3) {
            0 => drop(script.remove(at)),
            1 => script.insert(at, random.pick(&MUTATIONS).chars().next().expect("one")),
            _ => {
                let moved = script.remove(at);
                script.insert(random.below(script.len() + 1), moved);
            }
        }
        let script: String = script.into_iter().collect();
        if found(&script).is_none() {
            continue;
        }
        if bash_accepts(&script) {
            both += 1;
        } else {
            wrong.push(format!("{script:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} scripts that bash refuses:\n{}", wrong.len(), wrong.join("\n"));
    assert!(both > count(600) / 8, "too few accepted: {both}");
}

const MUTATIONS: [&str; 24] = [
    "(", ")", "{", "}", "[", "]", "'", "\"", "`", "$", "\\", "\n", " ", ";", "&", "|", "<", ">", "#", "!", "=", "a",
    "1", "\t",
];

/// How many scripts to try: `usual`, times `SYNTAX_ORACLE` for a long run by hand.
fn count(usual: usize) -> usize {
    let times: usize = std::env::var("SYNTAX_ORACLE").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    usual.saturating_mul(times)
}

#[test]
fn what_bash_runs_is_in_the_tree() {
    if !bash_is_5_2() {
        return;
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut ran, mut refused, mut wrong) = (0, 0, Vec::new());
    let count = count(700);
    for _ in 0..count {
        let depth = 1 + random.below(4);
        let script = script(&mut random, depth);
        let Some(output) = bash(&["-c"], &script) else { continue };
        let hit = String::from_utf8_lossy(&output.stderr).contains("HIT-RAN")
            || String::from_utf8_lossy(&output.stdout).contains("HIT-RAN");
        if !hit {
            continue;
        }
        ran += 1;
        match found(&script) {
            None => refused += 1,
            Some(names) if names.split(' ').any(|name| name == "hit") => {}
            Some(names) => wrong.push(format!("{script:?}: only {names}")),
        }
    }
    eprintln!("{ran} scripts ran it, {refused} of them refused by us");
    assert!(wrong.is_empty(), "{} scripts:\n{}", wrong.len(), wrong.join("\n"));
    assert!(ran > count / 4, "the generator makes too few scripts that run: {ran}");
    assert!(refused * 4 < ran, "too strict: {refused} of {ran} refused");
}
