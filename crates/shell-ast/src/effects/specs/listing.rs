//! Finding and listing files.

use crate::effects::spec::{Act, Entry, Form, HELP, Operands, Usage, reads, row, runs, writes};
use crate::effects::{AccessMode, EffectKind, find};

const FD: Usage = Usage::safe(
    "-HIusigFaLp0l1q -d= -t= -e= -E= -S= -c= -j= -o= --hidden --no-ignore --no-ignore-vcs --no-ignore-parent --no-require-git --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --and= --absolute-path --follow --full-path --print0 --max-depth= --min-depth= --exact-depth= --type= --extension= --exclude= --size= --changed-within= --changed-before= --changed-after= --newer= --older= --owner= --color= --threads= --max-results= --quiet --show-errors --strip-cwd-prefix? --path-separator= --one-file-system --list-details --prune --relative-path --hyperlink?",
    Operands::PatternThenCwd(AccessMode::Inspect),
)
.recursive()
.rows(&[
    HELP,
    runs("-x -X --exec? --exec-batch?", "runs a command for what it finds", "fd(1)"),
    reads("--ignore-file="),
    row("--search-path= --base-directory=", Act::Path(AccessMode::Inspect), "searches there", "fd(1)"),
]);

const TREE: Usage = Usage::safe(
    "-adfilxCAnSvtcUrpsuhgDFqQNJX -L= -P= -I= -H= -T= --gitignore --matchdirs --ignore-case --noreport --charset= --filelimit= --timefmt= --device --inodes --dirsfirst --filesfirst --sort? --si --du --prune --metafirst --nolinks --fromfile --fflinks --info",
    Operands::FilesOrCwd(AccessMode::Inspect),
)
.recursive()
.rows(&[
    HELP,
    writes("-o=", "writes its result to a file", "tree(1)"),
    row("-R", Act::Has(EffectKind::WritesFiles), "with -H and -o it writes 00Tree.html into each directory", "tree(1)"),
    reads("--gitfile= --infofile="),
]);

const EZA: Usage = Usage::safe(
    "-1aAbBdDfFgGhHilmMnoOrRSTuUxXZ@ -L= -s= -I= -t= -w= --oneline --long --grid --across --recurse --tree --dereference --classify? --color? --colour? --color-scale? --icons? --no-quotes --hyperlink --width= --all --almost-all --list-dirs --level= --reverse --sort= --group-directories-first --group-directories-last --only-dirs --only-files --ignore-glob= --git-ignore --binary --bytes --group --smart-group --header --links --inode --mounts --numeric --flags --blocksize --time= --modified --accessed --created --changed --time-style= --total-size --no-permissions --octal-permissions --no-filesize --no-user --no-time --git --no-git --git-repos --extended --context",
    Operands::FilesOrCwd(AccessMode::Inspect),
)
.recursive()
.rows(&[HELP]);

const LOCATE: Usage = Usage::safe(
    "-AbceiLPqrsSw -n= -l= --all --basename --count --ignore-case --limit= --regex --regexp=",
    Operands::Text,
)
.rows(&[HELP]);
const CLOC: Usage = Usage::safe(
    "--by-file --json --csv --yaml --xml --md --quiet --hide-rate --include-lang= --exclude-lang= --exclude-dir= --include-ext= --exclude-ext= --vcs= --git --progress-rate= --sum-one",
    Operands::FilesOrCwd(AccessMode::Read),
)
.recursive()
.rows(&[HELP]);
const TOKEI: Usage = Usage::safe(
    "-fC -s= -c= -t= -o= -n= --files --sort= --type= --exclude= --output= --hidden --no-ignore --compact --num-format=",
    Operands::FilesOrCwd(AccessMode::Read),
)
.recursive()
.rows(&[HELP]);
const LSOF: Usage =
    Usage::safe("-abhlnNoOPRtUvVXwM -c= -d= -i? -p= -u= -s? -F? -g? -r?", Operands::Files(AccessMode::Inspect))
        .rows(&[HELP]);
const NAMEI: Usage = Usage::safe(
    "-lmovxn --long --modes --owners --vertical --mountpoints --nosymlinks",
    Operands::Files(AccessMode::Inspect),
)
.rows(&[HELP]);

/// In order of their names.
pub(super) const PROGRAMS: &[Entry] = &[
    ("cloc", Form::Simple(&CLOC)),
    ("exa", Form::Simple(&EZA)),
    ("eza", Form::Simple(&EZA)),
    ("fd", Form::Simple(&FD)),
    ("fdfind", Form::Simple(&FD)),
    ("find", Form::Special(find::judge)),
    ("gfind", Form::Special(find::judge)),
    ("locate", Form::Simple(&LOCATE)),
    ("lsof", Form::Simple(&LSOF)),
    ("namei", Form::Simple(&NAMEI)),
    ("plocate", Form::Simple(&LOCATE)),
    ("tokei", Form::Simple(&TOKEI)),
    ("tree", Form::Simple(&TREE)),
];
