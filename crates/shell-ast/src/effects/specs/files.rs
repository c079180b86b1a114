//! Programs that change files: what they read, write, move and remove.

use crate::effects::judge::Judge;
use crate::effects::options::Parsed;
use crate::effects::spec::{Act, Entry, Form, HELP, Operands, Row, Usage, reads, recursive, row, runs, writes};
use crate::effects::words::{is_known, suffix, text_word};
use crate::effects::{AccessMode, EffectKind, programs, redirects};

const WRITES: EffectKind = EffectKind::WritesFiles;
const TARGET: Row =
    row("-t= --target-directory=", Act::Target, "puts them there", "GNU coreutils, \"Target directory\"");

const CP: Usage = Usage::does(
    WRITES,
    "copies files",
    "-S= --suffix= -Z --context? --backup? --sparse= --reflink? --preserve? --no-preserve=",
    Operands::SourcesThen { source: AccessMode::Read, dest: AccessMode::Write },
)
.rows(&[TARGET, recursive("-r -R -a --recursive --archive")]);
const MV: Usage = Usage::does(
    WRITES,
    "moves files",
    "-S= --suffix= --backup?",
    Operands::SourcesThen { source: AccessMode::Move, dest: AccessMode::Write },
)
.rows(&[TARGET])
.recursive();
const INSTALL: Usage = Usage::does(
    WRITES,
    "copies files",
    "-m= -o= -g= -S= --mode= --owner= --group= --suffix=",
    Operands::SourcesThen { source: AccessMode::Read, dest: AccessMode::Write },
)
.rows(&[
    TARGET,
    runs("--strip-program=", "runs a program", "install(1)"),
    row("-d --directory", Act::Edits, "makes directories", "install(1)"),
]);
const LN: Usage = Usage::does(
    WRITES,
    "makes links",
    "-S= --suffix=",
    Operands::SourcesThen { source: AccessMode::Link, dest: AccessMode::Write },
)
.rows(&[TARGET])
.check(|judge, parsed| {
    // `ln TARGET` makes the link in the working directory.
    if let [only] = parsed.operands.as_slice() {
        judge.touch(AccessMode::Link, only, false);
    }
});
const RM: Usage = Usage::does(WRITES, "removes files", "", Operands::Files(AccessMode::Delete))
    .rows(&[recursive("-r -R --recursive")]);
const RMDIR: Usage = Usage::does(WRITES, "removes directories", "", Operands::Files(AccessMode::Delete));
const MKDIR: Usage = Usage::does(
    WRITES,
    "makes directories",
    "-m= --mode= -p -v --parents --verbose",
    Operands::Files(AccessMode::Write),
);
const TOUCH: Usage = Usage::does(
    WRITES,
    "makes files or changes their times",
    "-d= -t= -A= --date=",
    Operands::Files(AccessMode::Write),
)
.rows(&[row("-r= --reference=", Act::Path(AccessMode::Inspect), "looks at a file's time", "touch(1)")]);
const TEE: Usage = Usage::safe("-aip --append --ignore-interrupts --output-error?", Operands::Text)
    .rows(&[HELP])
    .check(|judge, parsed| {
        for word in &parsed.operands {
            if word.literal().is_some_and(|name| redirects::is_no_file(&name) || name == "-") {
                continue;
            }
            judge.touch(AccessMode::Write, word, false);
            judge.raise(WRITES, "writes the files it names");
        }
    });
const TRUNCATE: Usage =
    Usage::does(WRITES, "changes the size of files", "-s= -o --size=", Operands::Files(AccessMode::Write))
        .rows(&[row("-r= --reference=", Act::Path(AccessMode::Inspect), "looks at a file's size", "truncate(1)")]);
const SHRED: Usage =
    Usage::does(WRITES, "overwrites files", "-n= -s= --iterations= --size=", Operands::Files(AccessMode::Delete))
        .rows(&[reads("--random-source=")]);
const CHMOD_ROWS: &[Row] =
    &[recursive("-R --recursive"), row("--reference=", Act::Pattern, "takes the mode of a file", "chmod(1)")];
const CHMOD: Usage = Usage::does(WRITES, "changes rights of files", "", Operands::Text).rows(CHMOD_ROWS).check(chmod);
const CHATTR: Usage =
    Usage::does(WRITES, "changes attributes of files", "", Operands::Text).rows(CHMOD_ROWS).check(|judge, parsed| {
        for word in &parsed.operands {
            if !word.literal_prefix().starts_with(['+', '=']) {
                judge.touch(AccessMode::Permission, word, parsed.has(&["-R"]));
            }
        }
    });
const SETFACL: Usage = Usage::does(
    WRITES,
    "changes access lists of files",
    "-m= -M= -x= -X= -b -k -n -d -L -P --modify= --modify-file= --remove= --remove-file= --set= --set-file= --restore=",
    Operands::Files(AccessMode::Permission),
)
.rows(&[recursive("-R --recursive")]);
const RSYNC: Usage = Usage::does(
    WRITES,
    "copies files",
    "-avzhnPprtgoDlHAXSqucIbKkLWxy0EiR8 -e= -f= -T= -B= -M= --exclude= --include= --filter= --rsh= --port= --chmod= --chown= --bwlimit= --timeout=",
    Operands::Text,
)
.rows(&[
    row("-e= --rsh= --rsync-path=", Act::Has(EffectKind::ExecutesCode), "names a program to run", "rsync(1), GTFOBins"),
    reads("--files-from= --exclude-from= --include-from= --password-file="),
    writes("--log-file= --backup-dir= --partial-dir= --temp-dir= --write-batch=", "writes there", "rsync(1)"),
    row("--delete --delete-before --delete-during --delete-after --delete-delay --delete-excluded --del", Act::Edits, "removes what the source lacks", "rsync(1)"),
    row("--remove-source-files", Act::Recursive, "removes the sources", "rsync(1)"),
])
.check(rsync);
const PATCH: Usage = Usage::does(
    WRITES,
    "changes files as a patch says",
    "-p= -F= -B= -z= -Y= -D= -x= -V= -g= --strip= --fuzz=",
    Operands::Files(AccessMode::Write),
)
.rows(&[
    reads("-i= --input="),
    writes("-o= --output= -r= --reject-file=", "writes its result there", "patch(1)"),
    row("-d= --directory=", Act::Path(AccessMode::Write), "works there", "patch(1)"),
])
.check(|judge, _| judge.unknown_access(AccessMode::Write, false));
const SPLIT: Usage = Usage::does(
    WRITES,
    "writes pieces of its input",
    "-a= -b= -C= -l= -n= -d -x --suffix-length= --bytes= --line-bytes= --lines= --number=",
    Operands::Text,
)
.rows(&[runs("--filter=", "pipes each piece into a program", "split(1), GTFOBins")])
.check(|judge, parsed| {
    if let Some(input) = parsed.operands.first() {
        judge.touch(AccessMode::Read, input, false);
    }
    let default = text_word("x");
    judge.touch(AccessMode::Write, parsed.operands.get(1).copied().unwrap_or(&default), false);
});
const MKTEMP: Usage = Usage::does(
    WRITES,
    "makes a temporary file",
    "-dutq -p? --directory --dry-run --suffix= --tmpdir?",
    Operands::Files(AccessMode::Write),
);
const SPONGE: Usage = Usage::does(WRITES, "writes its input to a file", "-a", Operands::Files(AccessMode::Write));
const DOS2UNIX: Usage = Usage::does(WRITES, "edits files in place", "", Operands::Files(AccessMode::Write));
const RENAME: Usage = Usage::does(
    EffectKind::ExecutesCode,
    "renames files by an expression, which can be perl code",
    "",
    Operands::TextThen(AccessMode::Move),
);
const TRASH: Usage =
    Usage::does(WRITES, "moves files to the trash", "", Operands::Files(AccessMode::Delete)).recursive();
const SD: Usage = Usage::does(WRITES, "edits files in place", "-psf= -n= -A", Operands::Text).check(|judge, parsed| {
    for word in parsed.operands.iter().skip(2) {
        judge.touch(AccessMode::Write, word, false);
    }
});
const EDITOR: Usage = Usage::does(
    EffectKind::ExecutesCode,
    "an editor runs commands that are typed or given",
    "",
    Operands::Files(AccessMode::Write),
);
const OPENSSL_LIKE: Usage = Usage::does(WRITES, "makes or changes keys", "", Operands::Text).rows(&[writes(
    "-f= -out= --output=",
    "writes a file",
    "ssh-keygen(1)",
)]);

fn chmod(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    let deep = parsed.has(&["-R", "--recursive"]);
    // A mode like `-x` reads as an option: then every operand is a file.
    let dashed = judge.words.iter().any(|word| {
        let head = word.literal_prefix();
        head.len() > 1 && head.starts_with('-') && head.chars().skip(1).all(|letter| "rwxXstugo,+=-".contains(letter))
    });
    let skip = usize::from(!dashed && !parsed.has(&["--reference"]));
    for word in parsed.operands.iter().skip(skip) {
        judge.touch(AccessMode::Permission, word, deep);
    }
}

fn rsync(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    let is_remote = |word: &crate::Word| {
        let head = word.literal_prefix();
        head.contains("::")
            || head.starts_with("rsync://")
            || head.split('/').next().is_some_and(|first| first.contains(':'))
    };
    let deletes = parsed.options.iter().any(|seen| seen.row.is_some_and(|row| row.act == Act::Edits));
    let Some((dest, sources)) = parsed.operands.split_last() else {
        return;
    };
    for source in sources {
        if is_remote(source) {
            judge.raise(EffectKind::Network, "copies from another host");
        } else {
            judge.touch(AccessMode::Read, source, true);
            if parsed.has(&["--remove-source-files"]) {
                judge.touch(AccessMode::Delete, source, true);
            }
        }
    }
    if is_remote(dest) {
        judge.raise(EffectKind::Network, "copies to another host");
    } else {
        judge.touch(AccessMode::Write, dest, true);
        if deletes {
            judge.touch(AccessMode::Delete, dest, true);
        }
    }
}

fn tags(judge: &mut Judge<'_>) {
    // ctags and the like: `-f`/`-o` names the file, `tags` else.
    judge.raise(WRITES, "writes a file of tags");
    for word in judge.words {
        let shape = crate::effects::words::Shape::of(word);
        if shape.head.starts_with("-f") && shape.head.len() > 2 {
            let file = suffix(word, &shape, 2);
            judge.touch(AccessMode::Write, &file, false);
        } else if !shape.head.starts_with('-') && is_known(word) {
            judge.access(AccessMode::Read, word.clone(), true);
        }
    }
}

/// In order of their names.
pub(super) const PROGRAMS: &[Entry] = &[
    ("chattr", Form::Simple(&CHATTR)),
    ("chgrp", Form::Simple(&CHMOD)),
    ("chmod", Form::Simple(&CHMOD)),
    ("chown", Form::Simple(&CHMOD)),
    ("cp", Form::Simple(&CP)),
    ("csplit", Form::Simple(&SPLIT)),
    ("ctags", Form::Special(tags)),
    ("dd", Form::Special(programs::dd)),
    ("dos2unix", Form::Simple(&DOS2UNIX)),
    ("ed", Form::Simple(&EDITOR)),
    ("emacs", Form::Simple(&EDITOR)),
    ("ex", Form::Simple(&EDITOR)),
    ("gcp", Form::Simple(&CP)),
    ("gmv", Form::Simple(&MV)),
    ("grm", Form::Simple(&RM)),
    ("install", Form::Simple(&INSTALL)),
    ("link", Form::Simple(&LN)),
    ("ln", Form::Simple(&LN)),
    ("mkdir", Form::Simple(&MKDIR)),
    ("mkfifo", Form::Simple(&MKDIR)),
    ("mktemp", Form::Simple(&MKTEMP)),
    ("mv", Form::Simple(&MV)),
    ("nano", Form::Simple(&EDITOR)),
    ("nvim", Form::Simple(&EDITOR)),
    ("patch", Form::Simple(&PATCH)),
    ("rename", Form::Simple(&RENAME)),
    ("rm", Form::Simple(&RM)),
    ("rmdir", Form::Simple(&RMDIR)),
    ("rsync", Form::Simple(&RSYNC)),
    ("sd", Form::Simple(&SD)),
    ("setfacl", Form::Simple(&SETFACL)),
    ("shred", Form::Simple(&SHRED)),
    ("split", Form::Simple(&SPLIT)),
    ("sponge", Form::Simple(&SPONGE)),
    ("ssh-keygen", Form::Simple(&OPENSSL_LIKE)),
    ("tee", Form::Simple(&TEE)),
    ("touch", Form::Simple(&TOUCH)),
    ("trash", Form::Simple(&TRASH)),
    ("truncate", Form::Simple(&TRUNCATE)),
    ("unix2dos", Form::Simple(&DOS2UNIX)),
    ("unlink", Form::Simple(&RM)),
    ("vi", Form::Simple(&EDITOR)),
    ("view", Form::Simple(&EDITOR)),
    ("vim", Form::Simple(&EDITOR)),
];
