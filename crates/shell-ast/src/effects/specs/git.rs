//! git (git(1) and the manual page of each subcommand). GTFOBins, "git": pagers, `-O`, `--upload-pack`, hooks, aliases.
//!
//! Every read-only verdict needs [`Need::TrustedGitConfig`]: a repository's configuration can name programs that
//! `status`, `diff` or `log` run.

use crate::analysis::Word;
use crate::effects::judge::Judge;
use crate::effects::options::Parsed;
use crate::effects::spec::{
    Act, Entry, Form, HELP, Operands, Row, Sub, Tree, Usage, changes, reads, row, runs, sends, writes,
};
use crate::effects::words::Shape;
use crate::effects::{AccessMode, EffectKind, Need};

const TEXT: Operands = Operands::Text;
const SYSTEM: EffectKind = EffectKind::ChangesSystem;
const NEEDS: &[Need] = &[Need::TrustedGitConfig];

const GLOBALS: Usage = Usage::safe(
    "-P --no-pager --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-replace-objects --no-lazy-fetch --no-advice --html-path --man-path --info-path",
    TEXT,
)
.rows(&[
    HELP,
    row("-c= --config-env=", Act::Has(EffectKind::Unknown), "sets configuration, which can name programs to run", "git(1), GTFOBins"),
    runs("--exec-path=", "changes where subcommands are looked up", "git(1)"),
    row("-C= --git-dir= --work-tree= --namespace= --super-prefix=", Act::Has(EffectKind::Unknown), "points git at another repository, whose configuration can run programs", "git(1)"),
    runs("-p --paginate", "starts the configured pager", "git(1)"),
]);

/// Options of `log`, `diff`, `show` and their kin (git-diff(1), "Options"; git-log(1), "Commit Limiting").
const WALK_OPTIONS: &str = "-puswzabcRmtiEPgv# -C? -M? -B? -D -F -U= -n= -G= -S= -l= -X? -L= -I= --patch --no-patch --unified? --raw --patch-with-raw --minimal --patience --histogram --anchored= --diff-algorithm= --stat? --compact-summary --numstat --shortstat --dirstat? --cumulative --summary --patch-with-stat --name-only --name-status --submodule? --color? --no-color --color-moved? --no-color-moved --color-moved-ws= --word-diff? --word-diff-regex= --color-words? --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight= --full-index --binary --abbrev? --no-abbrev --break-rewrites? --find-renames? --find-copies? --find-copies-harder --irreversible-delete --diff-filter= --pickaxe-all --pickaxe-regex --relative? --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --inter-hunk-context= --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules? --src-prefix= --dst-prefix= --no-prefix --default-prefix --line-prefix= --ita-invisible-in-index --cached --staged --merge-base --base --ours --theirs --cc --combined-all-paths --diff-merges= --no-diff-merges --oneline --pretty? --format= --abbrev-commit --no-abbrev-commit --encoding= --expand-tabs? --no-expand-tabs --notes? --no-notes --show-notes? --graph --no-graph --decorate? --no-decorate --decorate-refs= --decorate-refs-exclude= --source --mailmap --no-mailmap --use-mailmap --log-size --max-count= --skip= --since= --after= --until= --before= --author= --committer= --grep-reflog= --grep= --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --min-parents= --max-parents= --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --all --branches? --tags? --remotes? --glob= --exclude= --exclude-hidden= --reflog --alternate-refs --single-worktree --ignore-missing --bisect --cherry-mark --cherry-pick --left-only --right-only --cherry --walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls --full-history --dense --sparse --simplify-merges --ancestry-path? --date-order --author-date-order --topo-order --reverse --no-walk? --do-walk --date= --relative-date --parents --children --left-right --follow --count --timestamp --objects --left --right --no-commit-id --root --no-indent-heuristic --indent-heuristic --stat-width= --stat-name-width= --stat-count= --remerge-diff --show-linear-break? --since-as-filter= --max-age= --min-age= --clear-decorations";

const WALK_ROWS: &[Row] = &[
    HELP,
    writes("--output=", "writes its result to a file", "git-diff(1)"),
    runs("--ext-diff", "runs the configured diff program", "git-diff(1)"),
    runs("--textconv", "runs the configured conversion program", "git-diff(1)"),
    // Of diff: the order of files.
    reads("-O= --skip-to= --rotate-to="),
    runs("--show-signature", "runs the configured gpg program", "git-log(1)"),
    row("--no-index", Act::Recursive, "compares files outside of the repository", "git-diff(1)"),
    row(
        "--stdin",
        Act::Has(EffectKind::Unknown),
        "takes revisions, blobs among them, from its input",
        "git-rev-list(1)",
    ),
];

/// Like [`Usage::safe`] for a subcommand of git.
const fn git(options: &'static str, operands: Operands) -> Usage {
    Usage { reason: "reads the repository", ..Usage::safe(options, operands).rows(&[HELP]).needs(NEEDS) }
}

const WALK: Usage = git(WALK_OPTIONS, TEXT).rows(WALK_ROWS).check(walk);
const STATUS: Usage = git(
    "-sbvz -u? -M? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames? --null",
    Operands::Files(AccessMode::Inspect),
);
const BLAME: Usage = git(
    "-bcefFlnpstw# -C? -L= -M? -S= --root --show-stats --progress --no-progress --score-debug --show-name --show-number --porcelain --line-porcelain --incremental --encoding= --date= --abbrev? --color-lines --color-by-age --show-email --ignore-rev= --since= --first-parent --minimal --reverse",
    TEXT,
)
.rows(&[HELP, reads("--contents= --ignore-revs-file=")])
.check(walk);
const GREP: Usage = git(
    "-aIivwEGFPnlLzocphWq# -m= -A= -B= -C= -e= --text --no-textconv --ignore-case --invert-match --word-regexp --extended-regexp --basic-regexp --fixed-strings --perl-regexp --line-number --column --files-with-matches --name-only --files-without-match --null --only-matching --count --color? --no-color --break --heading --show-function --function-context --context= --after-context= --before-context= --max-depth= --recursive -r --no-recursive --max-count= --and --or --not --all-match --quiet --cached --untracked --no-exclude-standard --exclude-standard --recurse-submodules --full-name --threads= --parent-basename=",
    TEXT,
)
.rows(&[
    HELP,
    row("-f=", Act::PatternFile, "patterns from a file", "git-grep(1)"),
    runs("-O? --open-files-in-pager?", "opens what it finds in a named program", "git-grep(1), GTFOBins"),
    runs("--textconv", "runs the configured conversion program", "git-grep(1)"),
    runs("--ext-grep", "runs another grep", "git-grep(1)"),
    row("--no-index", Act::Recursive, "searches files outside of the repository", "git-grep(1)"),
])
.check(|judge, parsed| {
    judge.access(AccessMode::Read, crate::effects::words::text_word("."), true);
    blobs(judge, parsed);
    // The first is the pattern, unless an option gives it.
    let patterns = usize::from(!parsed.has(&["-e", "-f"]));
    let paths = parsed.operands.iter().skip(patterns);
    for word in paths.filter(|word| !word.literal_prefix().contains(':')) {
        judge.access(AccessMode::Read, pathspec(word), true);
    }
});
const LS_FILES: Usage = git(
    "-cdmoiskutvfz -x= --cached --deleted --modified --others --ignored --stage --directory --no-empty-directory --eol --deduplicate --full-name --recurse-submodules --error-unmatch --with-tree= --abbrev? --exclude-standard --exclude= --debug --format= --unmerged --killed",
    Operands::Files(AccessMode::Inspect),
)
.rows(&[HELP, reads("-X= --exclude-from= --exclude-per-directory=")]);
const BRANCH: Usage = git(
    "-avrliq --all --list --verbose --show-current --remotes --color? --no-color --column? --no-column --sort= --format= --ignore-case --abbrev? --no-abbrev --contains? --no-contains? --merged? --no-merged? --points-at= --omit-empty",
    TEXT,
)
.rows(&[
    HELP,
    changes("-dDmMcCft -u= --delete --move --copy --force --track? --no-track --set-upstream-to= --unset-upstream --edit-description --create-reflog --recurse-submodules", "changes branches", "git-branch(1)"),
])
.check(|judge, parsed| {
    let lists = ["-l", "--list", "-a", "--all", "-r", "--remotes", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"];
    // `git branch -a name` and `git branch -r name` fail; `git branch -v name` would make a branch.
    if !parsed.operands.is_empty() && !parsed.has(&lists) {
        judge.raise(SYSTEM, "an operand without `--list` makes a branch");
    }
});
const TAG: Usage = git(
    "-li -n? --list --sort= --format= --column? --no-column --color? --contains? --no-contains? --merged? --no-merged? --points-at= --ignore-case --omit-empty",
    TEXT,
)
.rows(&[
    HELP,
    changes("-asdfe -m= --annotate --sign --delete --force --message= --create-reflog --edit", "changes tags", "git-tag(1)"),
    runs("-v -u= --verify --local-user=", "runs the configured gpg program", "git-tag(1)"),
    reads("-F= --file="),
])
.check(|judge, parsed| {
    let lists = ["-l", "--list", "-n", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"];
    if !parsed.operands.is_empty() && !parsed.has(&lists) {
        judge.raise(SYSTEM, "an operand without `--list` makes a tag");
    }
});
const CONFIG_READS: &str = "-zl --list --get --get-all --get-regexp --get-urlmatch --get-color --name-only --show-origin --show-scope --global --local --system --worktree --null --type= --bool --int --bool-or-int --path --expiry-date --includes --no-includes --default= --all --regexp --value= --fixed-value --url=";
const CONFIG: Usage = git(CONFIG_READS, TEXT)
    .rows(&[
        HELP,
        reads("-f= --file= --blob="),
        changes(
            "--unset --unset-all --add --replace-all --rename-section --remove-section -e --edit",
            "changes configuration",
            "git-config(1)",
        ),
    ])
    .check(|judge, parsed| {
        let lists = parsed.has(&["-l", "--list"]);
        let gets = parsed.has(&["--get", "--get-all", "--get-regexp", "--get-urlmatch", "--get-color"]);
        let first = parsed.operands.first().and_then(|word| word.literal()).unwrap_or_default();
        let listing = lists || first == "list";
        let changes = ["edit", "set", "unset", "rename-section", "remove-section"].contains(&first.as_str());
        let getting = gets || first == "get" || (parsed.operands.len() == 1 && !listing && !changes);
        if !listing && !getting {
            judge.raise(SYSTEM, "changes configuration");
            if let Some(file) = parsed.value(&["-f", "--file"]) {
                judge.touch(AccessMode::Write, file, false);
            }
        }
        let searching = parsed.has(&["--get-regexp", "--get-urlmatch"]) && !parsed.has(&["--name-only"]);
        if searching && parsed.operands.first().is_some_and(|word| word.literal().is_none_or(|key| may_match(&key))) {
            judge.secret("prints values that can hold credentials");
        }
        if parsed.operands.iter().any(|word| {
            word.literal().is_none_or(|key| {
                let key = key.to_ascii_lowercase();
                ["extraheader", "password", "token", "secret", "credential", "cookie"]
                    .iter()
                    .any(|part| key.contains(part))
            })
        }) {
            judge.secret("prints a value that can hold credentials");
        }
    });

/// Whether a pattern for keys could match those that hold credentials: it does not if it holds a longer text that they
/// lack.
fn may_match(pattern: &str) -> bool {
    const KEYS: &str = "http.https://extraheader credential.helper http.proxy http.cookiefile url.insteadof";
    let plain = pattern.trim_matches(['^', '$']).replace("\\.", ".");
    let pieces: Vec<&str> = plain.split(".*").collect();
    let literal = |piece: &&str| piece.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-');
    if !pieces.iter().all(literal) {
        return true;
    }
    !pieces.iter().any(|piece| piece.trim_matches('.').len() > 2 && !KEYS.contains(&piece.to_ascii_lowercase()))
}

const REMOTE: Usage = git("-v --verbose", Operands::None);
const REMOTE_READ: Usage = git("-nv --push --all --verbose", TEXT);
const REMOTE_SHOW: Usage = git("-n", TEXT).check(|judge, parsed| {
    if !parsed.has(&["-n"]) && !parsed.operands.is_empty() {
        remote_named(judge, parsed);
    }
});
const LS_REMOTE: Usage = git(
    "-htqb --heads --branches --tags --refs --quiet --exit-code --get-url --sort= --symref -o= --server-option=",
    TEXT,
)
.rows(&[HELP, runs("--upload-pack= --exec=", "names the program that answers", "git-ls-remote(1), GTFOBins")])
.check(remote_named);
const FETCH: Usage = Usage::does(SYSTEM, "brings objects and references into the repository", "", TEXT)
    .rows(&[runs("--upload-pack=", "names the program that answers", "git-fetch(1)")])
    .check(remote_named);
const CLONE: Usage = Usage::does(
    EffectKind::Network,
    "copies a repository from the address it is given",
    "-b= -o= -c= -j= --depth= --branch= --origin=",
    TEXT,
)
.rows(&[
    runs("-u= --upload-pack= --config= --template=", "can run programs", "git-clone(1)"),
    reads("--reference= --reference-if-able="),
])
.check(|judge, parsed| {
    remote_named(judge, parsed);
    let here = crate::effects::words::text_word(".");
    let target = parsed.operands.get(1).copied().unwrap_or(&here);
    judge.touch(AccessMode::Write, target, true);
});
const SIMPLE_OPTIONS: &str = "--all --always --short? --symbolic --abbrev-ref? --verify --quiet -q --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --git-path= --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --symbolic-full-name --revs-only --no-revs --flags --no-flags --default= --sq --not --since= --until= --after= --before= --show-object-format? --show-superproject-working-tree --path-format= --branches? --tags? --remotes? --glob= --exclude= --local-env-vars --disambiguate= --show-ref-format";
const REV_PARSE: Usage = git(SIMPLE_OPTIONS, TEXT);
const LS_TREE: Usage =
    git("-drtlz --long --name-only --name-status --object-only --full-name --full-tree --abbrev? --format=", TEXT)
        .check(walk);
const CAT_FILE: Usage = git("-tespZz --batch-check? --batch-all-objects --allow-unknown-type --unordered --buffer --no-mailmap --follow-symlinks --path=", TEXT)
    .rows(&[
        HELP,
        runs("--textconv --filters", "runs the configured conversion program", "git-cat-file(1)"),
        row("--batch? --batch-command?", Act::Has(EffectKind::Unknown), "takes objects from its input", "git-cat-file(1)"),
    ])
    .check(walk);
const DESCRIBE: Usage = git(
    "--dirty? --broken? --all --tags --contains --abbrev? --candidates= --exact-match --debug --long --match= --exclude= --always --first-parent",
    TEXT,
);
const SHORTLOG: Usage = Usage {
    options: "-nsecwpuzabiFEv# -S= -G= --numbered --summary --email --format= --group= --committer --since= --until= --after= --before= --author= --no-merges --merges --all --branches? --tags? --remotes? --date= --max-count= --grep= --first-parent",
    ..WALK
};
const FOR_EACH_REF: Usage = git(
    "-spt --count= --sort= --format= --color? --shell --perl --python --tcl --points-at= --merged? --no-merged? --contains? --no-contains? --ignore-case --omit-empty --exclude= --include-root-refs",
    TEXT,
);
const SHOW_REF: Usage =
    git("-dqs --head --heads --branches --tags --dereference --hash? --verify --abbrev? --quiet --exists", TEXT)
        .rows(&[HELP, row("--exclude-existing?", Act::Pattern, "filters its input", "git-show-ref(1)")]);
const MERGE_BASE: Usage = git("-a --all --octopus --independent --is-ancestor --fork-point", TEXT);
const NAME_REV: Usage = git("--tags --refs= --exclude= --all --name-only --no-undefined --always", TEXT);
const COUNT_OBJECTS: Usage = git("-vH --verbose --human-readable", Operands::None);
const CHECK_IGNORE: Usage =
    git("-qvnz --quiet --verbose --stdin --non-matching --no-index", Operands::Files(AccessMode::Inspect));
const CHECK_ATTR: Usage = git("-az --all --stdin --cached --source=", Operands::Text);
const VERSION: Usage = Usage::safe("--build-options", Operands::None);
const CHERRY: Usage = git("-v --abbrev?", TEXT);
const RANGE_DIFF: Usage = Usage { options: WALK_OPTIONS, ..WALK };
const FSCK: Usage = git(
    "--tags --root --cache --no-reflogs --full --strict --verbose --progress --no-progress --unreachable --dangling --no-dangling --connectivity-only --name-objects",
    TEXT,
);
const VERIFY_PACK: Usage = git("-vs --verbose --stat-only", Operands::Files(AccessMode::Read));
const WORKTREE_LIST: Usage = git("-vz --porcelain --verbose", Operands::None);
const SUBMODULE_STATUS: Usage = git("-q --quiet --cached --recursive", TEXT);
const DIFFTOOL: Usage = Usage::does(EffectKind::ExecutesCode, "runs the configured diff program", "", TEXT);

/// Writing subcommands: `git rm a`, `git checkout -- a`.
const fn changing(kind: EffectKind, reason: &'static str, operands: Operands) -> Usage {
    Usage::does(kind, reason, "-m= -b= -B= -C= -c= -s= --message= --source=", operands)
}
const CHECKOUT: Usage = changing(SYSTEM, "changes the working tree or branch", TEXT).check(|judge, parsed| {
    // What follows `--` are paths; before it, revisions or paths.
    for word in &parsed.operands {
        judge.access(AccessMode::Write, (*word).clone(), true);
    }
});
const RM: Usage = changing(SYSTEM, "removes files from working tree and index", Operands::Files(AccessMode::Delete))
    .rows(&[
        row("-r", Act::Recursive, "removes everything below", "git-rm(1)"),
        row("--cached", Act::Pattern, "keeps the files", "git-rm(1)"),
        reads("--pathspec-from-file="),
    ]);
const MV: Usage =
    changing(SYSTEM, "moves files", Operands::SourcesThen { source: AccessMode::Move, dest: AccessMode::Write });
const CLEAN: Usage = changing(SYSTEM, "removes untracked files", Operands::FilesOrCwd(AccessMode::Delete)).recursive();
const ADD: Usage =
    changing(SYSTEM, "changes the index", Operands::Files(AccessMode::Read)).rows(&[reads("--pathspec-from-file=")]);
const COMMIT: Usage = changing(SYSTEM, "changes the repository and runs its hooks", TEXT)
    .rows(&[reads("-F= --file= -t= --template= --pathspec-from-file=")]);
const APPLY: Usage =
    changing(EffectKind::WritesFiles, "changes files as a patch says", Operands::Files(AccessMode::Read));
const PUSH: Usage = changing(SYSTEM, "sends commits to a remote", TEXT)
    .rows(&[runs("--receive-pack= --exec=", "names the program that answers", "git-push(1)")])
    .check(remote_named);
const ARCHIVE: Usage = changing(EffectKind::WritesFiles, "writes an archive", TEXT).rows(&[
    writes("-o= --output=", "writes an archive", "git-archive(1)"),
    runs("--exec=", "names the program that answers", "git-archive(1)"),
    sends("--remote=", "asks a remote", "git-archive(1)"),
]);
const ANY: Usage = changing(SYSTEM, "changes the repository", TEXT);

/// Operands of `log`, `diff`, `show`, `blame`: revisions, paths, `HEAD:path` blobs.
fn walk(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    let shows_content =
        !parsed.has(&["--name-only", "--name-status", "--stat", "--shortstat", "--numstat", "--summary"]);
    if parsed.has(&["--no-index"]) || parsed.operands.iter().any(|word| word.literal_prefix().starts_with('/')) {
        // Outside of a repository, or with a path outside of it, `git diff` compares plain files.
        for word in &parsed.operands {
            judge.touch(AccessMode::Read, word, true);
        }
        return;
    }
    blobs(judge, parsed);
    if !shows_content {
        return;
    }
    // `-L 1,5:FILE`, `-L :FUNCTION:FILE` (git-log(1)).
    for lines in parsed.options.iter().filter(|seen| &*seen.name == "-L").filter_map(|seen| seen.value.as_ref()) {
        let shape = Shape::of(lines);
        if let Some(at) = shape.head.rfind(':') {
            let file = crate::effects::words::suffix(lines, &shape, at.saturating_add(1));
            judge.touch(AccessMode::Read, &file, false);
        }
    }
    for word in &parsed.operands {
        let head = word.literal_prefix();
        // A path, or a revision: only a name that looks like one of the two can be told apart.
        if !head.contains(':')
            && !head.contains("..")
            && !Shape::of(word).splits
            && crate::effects::words::is_known(word)
        {
            judge.access(AccessMode::Read, pathspec(word), false);
        }
    }
}

/// git expands wildcards in paths itself, so quoted ones count (gitglossary(7), "pathspec").
fn pathspec(word: &Word) -> Word {
    crate::effects::words::pattern_word(word)
}

/// `HEAD:.env`, `:0:.env`, `:(glob)x`: what stands behind the colon is a path.
fn blobs(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    for word in &parsed.operands {
        let shape = Shape::of(word);
        if let Some(at) = shape.head.rfind(':') {
            let path = crate::effects::words::suffix(word, &shape, at.saturating_add(1));
            if !path.parts.is_empty() {
                judge.touch(AccessMode::Read, &path, false);
            }
        } else if !crate::effects::words::is_known(word) {
            judge.unknown_access(AccessMode::Read, false);
            judge.raise(EffectKind::Unknown, format!("what `{}` names is not known", word.raw));
        }
    }
}

/// A remote: a configured name is its own service; an address is a host that the command names, or a program.
fn remote_named(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    let Some(remote) = parsed.operands.first() else {
        return;
    };
    let Some(name) = remote.literal() else {
        return judge.raise(EffectKind::Network, format!("which remote `{}` names is not known", remote.raw));
    };
    if name.contains("::") {
        return judge.raise(EffectKind::ExecutesCode, "a remote helper runs its address as a command");
    }
    if name.contains(':') {
        return judge.raise(EffectKind::Network, "talks to the host of an address");
    }
    if name.contains('/') || name.starts_with('.') || name.starts_with('~') {
        judge.raise(EffectKind::Unknown, "the repository it names has a configuration of its own");
    }
}

const GIT: Tree = Tree {
    globals: &GLOBALS,
    subs: &[
        Sub::new("status", STATUS),
        Sub::new("log|diff|show|whatchanged|rev-list|diff-tree|diff-index|diff-files|reflog show", WALK),
        Sub::new("stash list|stash show", WALK),
        Sub::new("range-diff", RANGE_DIFF),
        Sub::new("reflog delete|reflog expire|reflog drop|reflog write", ANY),
        Sub::new("blame|annotate", BLAME),
        Sub::new("grep", GREP),
        Sub::new("ls-files", LS_FILES),
        Sub::new("ls-tree", LS_TREE),
        Sub::new("ls-remote", LS_REMOTE),
        Sub::new("cat-file", CAT_FILE),
        Sub::new("branch", BRANCH),
        Sub::new("tag", TAG),
        Sub::new("config", CONFIG),
        Sub::new("remote get-url", REMOTE_READ),
        Sub::new("remote show", REMOTE_SHOW),
        Sub::new("rev-parse", REV_PARSE),
        Sub::new("describe", DESCRIBE),
        Sub::new("shortlog", SHORTLOG),
        Sub::new("for-each-ref", FOR_EACH_REF),
        Sub::new("show-ref", SHOW_REF),
        Sub::new("show-branch|cherry", CHERRY),
        Sub::new("merge-base", MERGE_BASE),
        Sub::new("name-rev", NAME_REV),
        Sub::new("count-objects", COUNT_OBJECTS),
        Sub::new("check-ignore", CHECK_IGNORE),
        Sub::new("check-attr", CHECK_ATTR),
        Sub::new("verify-pack", VERIFY_PACK),
        Sub::new("fsck", FSCK),
        Sub::new("worktree list", WORKTREE_LIST),
        Sub::new("submodule status", SUBMODULE_STATUS),
        Sub::new("version", VERSION),
        Sub::new("difftool|mergetool|bisect run|gui|citool|instaweb|daemon|send-email|filter-branch", DIFFTOOL),
        Sub::new("fetch|pull", FETCH),
        Sub::new("clone", CLONE),
        Sub::new("push", PUSH),
        Sub::new("checkout|restore|switch", CHECKOUT),
        Sub::new("rm", RM),
        Sub::new("mv", MV),
        Sub::new("clean", CLEAN),
        Sub::new("add|stage", ADD),
        Sub::new("commit", COMMIT),
        Sub::new("apply|am", APPLY),
        Sub::new("archive", ARCHIVE),
        Sub::new(
            "init|merge|rebase|reset|revert|cherry-pick|stash push|stash pop|stash apply|stash drop|stash clear|worktree add|worktree remove|worktree prune|remote add|remote remove|remote rename|remote set-url|remote prune|remote update|gc|prune|repack|notes|replace|submodule add|submodule update|submodule init|submodule foreach|bisect|maintenance|update-index|update-ref|symbolic-ref|write-tree|commit-tree|hash-object|sparse-checkout|lfs|subtree|bundle|format-patch|rerere|pack-refs",
            ANY,
        ),
    ],
    other: (EffectKind::Unknown, "that subcommand of git is not in its table: it can be an alias"),
};

/// `git remote`, `git remote -v`, `git stash`, `git reflog` stand for a subcommand of theirs.
fn git_program(judge: &mut Judge<'_>) {
    let first = judge.words.first().and_then(Word::literal).unwrap_or_default();
    let second = judge.words.get(1).and_then(Word::literal);
    let plain = second.as_deref().is_none_or(|text| text.starts_with('-'));
    let rest = judge.words.get(1..).unwrap_or_default();
    match first.as_str() {
        "remote" if plain => {
            let verbose_sub = rest.iter().any(|word| !word.literal_prefix().starts_with('-'));
            if verbose_sub {
                judge.tree(&GIT);
            } else {
                judge.usage(&REMOTE, rest);
            }
        }
        "reflog"
            if plain
                || !matches!(
                    second.as_deref(),
                    Some("show" | "delete" | "expire" | "drop" | "write" | "exists" | "list")
                ) =>
        {
            judge.usage(&WALK, rest);
        }
        "stash" if plain => judge.usage(&ANY, rest),
        "clean"
            if rest.iter().any(|word| {
                let head = word.literal_prefix();
                head == "--dry-run" || (head.starts_with('-') && !head.starts_with("--") && head.contains('n'))
            }) =>
        {
            judge.usage(&CLEAN_PREVIEW, rest);
        }
        _ => judge.tree(&GIT),
    }
}

const CLEAN_PREVIEW: Usage =
    git("-ndfqxX -e= --dry-run --force --quiet --exclude=", Operands::Files(AccessMode::Inspect));

/// In order of their names.
pub(super) const PROGRAMS: &[Entry] = &[("git", Form::Special(git_program))];
