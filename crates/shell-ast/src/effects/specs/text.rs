//! Searching and reshaping text.

use crate::effects::spec::{Act, Entry, Form, HELP, Operands, Order, Row, Usage, reads, recursive, row, runs, writes};
use crate::effects::{AccessMode, EffectKind, programs};

const READ: Operands = Operands::Files(AccessMode::Read);
const PATTERN: Row = row("-e= --regexp=", Act::Pattern, "the pattern", "grep(1)");

const GREP: Usage = Usage::safe(
    "-aEFGPiyvwxcLlqsbHhnTUuZzoI# -m= -A= -B= -C= -D= -d= --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --color? --colour? --files-without-match --files-with-matches --max-count= --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --label= --line-number --initial-tab --null --null-data --after-context= --before-context= --context= --group-separator= --no-group-separator --text --binary-files= --devices= --directories= --exclude= --exclude-dir= --include= --line-buffered --binary",
    Operands::PatternThenCwd(AccessMode::Read),
)
.rows(&[
    HELP,
    PATTERN,
    row("-f= --file=", Act::PatternFile, "patterns from a file", "grep(1)"),
    reads("--exclude-from="),
    recursive("-r -R -S --recursive --dereference-recursive"),
])
.check(|judge, parsed| {
    // `-d recurse`, `--directories=recurse` reach further than the operands tell.
    if parsed.value(&["-d", "--directories"]).is_some_and(|value| value.literal().is_none_or(|text| text.starts_with("rec"))) {
        for word in parsed.operands.iter().skip(1) {
            judge.touch(AccessMode::Read, word, true);
        }
        judge.access(AccessMode::Read, crate::effects::words::text_word("."), true);
    }
});

const RG: Usage = Usage::safe(
    "-aFiLNnopPqsSuUvVwxzcHIl0b# -A= -B= -C= -d= -E= -g= -j= -m= -M= -r= -t= -T= --after-context= --before-context= --binary --block-buffered --byte-offset --case-sensitive --color= --colors= --column --context= --context-separator= --count --count-matches --crlf --debug --dfa-size-limit= --encoding= --engine= --field-context-separator= --field-match-separator= --files-with-matches --files-without-match --fixed-strings --follow --glob= --glob-case-insensitive --heading --hidden --iglob= --ignore-case --include-zero --invert-match --json --line-buffered --line-number --line-regexp --max-columns= --max-columns-preview --max-count= --max-depth= --maxdepth= --max-filesize= --mmap --multiline --multiline-dotall --no-config --no-filename --no-heading --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-line-number --no-messages --no-mmap --no-require-git --no-unicode --null --null-data --one-file-system --only-matching --passthru --passthrough --path-separator= --pcre2 --pcre2-version --pretty --quiet --regex-size-limit= --replace= --smart-case --sort= --sortr= --stats --stop-on-nonmatch --text --threads= --trace --trim --type= --type-add= --type-clear= --type-not= --unrestricted --vimgrep --with-filename --word-regexp -. --hyperlink-format=",
    Operands::PatternThenCwd(AccessMode::Read),
)
.recursive()
.rows(&[
    HELP,
    PATTERN,
    row("-f= --file=", Act::PatternFile, "patterns from a file", "rg(1)"),
    row("--files --type-list", Act::Pattern, "lists instead of searching", "rg(1)"),
    reads("--ignore-file="),
    runs("--pre=", "runs a program on each file", "rg(1)"),
    runs("--hostname-bin=", "runs a program for the host name", "rg(1)"),
    // Like `-z`: runs the decompressors of PATH, which are the user's.
    row("--search-zip", Act::Recursive, "reads compressed files", "rg(1)"),
]);

const AG: Usage = Usage::safe(
    "-acDfFgiHhlLnoQsSuUvwz0# -A= -B= -C= -G= -m= --ackmate --after= --before= --context= --break --nobreak --color --nocolor --column --count --depth= --filename --nofilename --files-with-matches --files-without-matches --file-search-regex= --fixed-strings --follow --heading --noheading --hidden --ignore= --ignore-case --ignore-dir= --invert-match --literal --max-count= --numbers --nonumbers --only-matching --smart-case --stats --vimgrep --word-regexp",
    Operands::PatternThenCwd(AccessMode::Read),
)
.recursive()
.rows(&[HELP, runs("--pager=", "runs a program", "ag(1)")]);

const SED: Usage = Usage::safe(
    "-nErsuz --quiet --silent --posix --debug --sandbox --separate --unbuffered --null-data --regexp-extended --line-length= --follow-symlinks",
    Operands::Text,
)
.rows(&[
    HELP,
    row("-e= --expression=", Act::Pattern, "the script", "sed(1)"),
    runs("-f= --file=", "its script is in a file, and sed scripts can write and run", "sed(1)"),
    row("-i? --in-place? -I?", Act::Edits, "edits files in place", "sed(1)"),
])
.check(programs::sed);

const AWK: Usage = Usage::safe(
    "-F= -v= -bcCgMnNOPrsStuV --field-separator= --assign= --characters-as-bytes --traditional --copyright --lint? --bignum --use-lc-numeric --non-decimal-data --optimize --posix --re-interval --no-optimize --sandbox --csv -k",
    Operands::Text,
)
.order(Order::Posix)
.rows(&[
    HELP,
    row("-e= --source=", Act::Pattern, "the program", "gawk(1)"),
    runs("-f= --file= -E= --exec=", "its program is in a file, and awk programs can write and run", "awk(1)"),
    runs("-i= --include= -l= --load=", "loads code (`-i inplace` also edits files)", "gawk(1)"),
    writes("-o? --pretty-print? -p? --profile? -d? --dump-variables?", "writes a file", "gawk(1)"),
    runs("-D? --debug?", "runs a debugger, whose commands can run programs", "gawk(1)"),
])
.check(programs::awk);

const JQ: Usage = Usage::safe(
    "-acCeghjMnrRsSb --compact-output --raw-output --raw-output0 --join-output --ascii-output --color-output --monochrome-output --sort-keys --tab --indent= --unbuffered --slurp --raw-input --null-input --exit-status --seq --stream --stream-errors --args --jsonargs --binary --arg== --argjson==",
    Operands::Text,
)
.rows(&[
    HELP,
    reads("--slurpfile== --rawfile== --argfile=="),
    row("-f= --from-file=", Act::Has(EffectKind::Unknown), "its filter is in a file, and filters can read the environment", "jq(1)"),
    row("-L= --library-path=", Act::Has(EffectKind::Unknown), "loads modules", "jq(1)"),
])
.check(programs::jq);

/// `cmp`, `diff`, `sdiff`: two files.
const DIFF: Usage = Usage::safe(
    "-qsuceEnyptTNiZbBadw# -C= -D= -F= -I= -U= -W= -x= --normal --report-identical-files --brief --context? --unified? --ed --rcs --side-by-side --width= --left-column --suppress-common-lines --show-c-function --show-function-line= --label= -L= --expand-tabs --initial-tab --tabsize= --suppress-blank-empty --new-file --unidirectional-new-file --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr --ifdef= --minimal --horizon-lines= --speed-large-files --color? --palette= --exclude= --no-dereference --ignore-file-name-case",
    READ,
)
.rows(&[
    HELP,
    recursive("-r --recursive"),
    reads("-X= --exclude-from= --from-file= --to-file="),
    // Paginating runs pr(1).
    runs("-l --paginate", "runs pr", "diff(1)"),
]);
const CMP: Usage = Usage::safe(
    "-bls -i= -n= --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent",
    Operands::TextThen(AccessMode::Read),
)
.rows(&[row("--help --version", Act::Stops, "prints its help", "cmp(1)")])
.check(|judge, parsed| {
    if let Some(first) = parsed.operands.first() {
        judge.touch(AccessMode::Read, first, false);
    }
});
const COLUMN: Usage = Usage::safe(
    "-eJtnLxr -c= -d= -E= -H= -l= -N= -o= -O= -p= -i= -R= -s= -T= -W= -n= --table --separator= --output-separator= --columns= --output-width= --table-columns= --table-right= --table-truncate= --table-wrap= --table-hide= --table-order= --table-noextreme= --table-name= --table-columns-limit= --table-noheadings --table-header-repeat --table-empty-lines --fillrows --json --keep-empty-lines",
    READ,
)
.rows(&[HELP]);
const XXD: Usage = Usage::safe(
    "-abdeEiuCpv -c= -g= -l= -n= -o= -s= -R= -autoskip -bits -capitalize -ebcdic -include -ps -postscript -plain -upper -cols= -groupsize= -len= -offset= -seek= -h -help -version",
    Operands::InputOutput,
)
.order(Order::SingleDash)
.rows(&[row("-r -revert", Act::Edits, "writes the bytes that a dump describes into its output", "xxd(1)")]);
const HEXDUMP: Usage = Usage::safe(
    "-bcCdovx -e= -n= -s= -L? --one-byte-octal --one-byte-char --canonical --two-bytes-decimal --two-bytes-octal --two-bytes-hex --format= --length= --skip= --no-squeezing --color?",
    READ,
)
.rows(&[HELP, reads("-f= --format-file=")]);
const STRINGS: Usage = Usage::safe(
    "-afow -n= -t= -e= -s= -U= --all --print-file-name --bytes= --radix= --encoding= --output-separator= -#",
    READ,
)
.rows(&[HELP]);
const LESS: Usage = Usage::safe("-eEFgiIJKmMnNqQrRsSuUwWX -x= -y= -z= --chop-long-lines --quit-if-one-screen --no-init --raw-control-chars --RAW-CONTROL-CHARS --LINE-NUMBERS", READ)
    .rows(&[HELP])
    .check(programs::less);
const BAT: Usage = Usage::safe(
    "-pPAnfuSs -l= -H= -r= -m= --plain --style= --language= --number --line-range= --highlight-line= --color= --decorations= --theme= --wrap= --tabs= --terminal-width= --show-all --no-paging --file-name= --map-syntax= --squeeze-blank --list-languages --list-themes --italic-text= --no-config --nonprintable-notation=",
    READ,
)
.rows(&[HELP, runs("--pager=", "runs a program", "bat(1)"), row("--paging=", Act::Pattern, "pages only on a terminal", "bat(1)")]);
const FILE: Usage = Usage::safe(
    "-bcdEhiIkLlNnprsSvzZ0 -e= -F= -P= --brief --mime --mime-type --mime-encoding --keep-going --dereference --no-dereference --no-pad --no-buffer --preserve-date --raw --special-files --separator= --exclude= --exclude-quiet= --print0 --extension --apple --uncompress --uncompress-noreport --parameter=",
    Operands::Files(AccessMode::Read),
)
.rows(&[
    HELP,
    reads("-f= --files-from= -m= --magic-file="),
    row("-C --compile", Act::Has(EffectKind::WritesFiles), "writes a magic.mgc", "file(1)"),
]);
const ICONV: Usage = Usage::safe("-cls -f= -t= --from-code= --to-code= --list --silent --verbose", READ)
    .rows(&[HELP, writes("-o= --output=", "writes its result to a file", "iconv(1)")]);
const YQ: Usage = Usage::safe(
    "-CMNPejnrvSy -I= -o= -p= --colors --no-colors --no-doc --prettyPrint --exit-status --tojson --null-input --unwrapScalar? --indent= --output-format= --input-format= --raw-output --compact-output --header-preprocess --yaml-output -c",
    Operands::Text,
)
.rows(&[
    HELP,
    row("-i --inplace --in-place", Act::Edits, "edits files in place", "yq(1)"),
    row("-s= --split-exp= --split-exp-file=", Act::Has(EffectKind::WritesFiles), "writes one file a document", "yq(1)"),
    row("-f= --from-file= --expression=", Act::Has(EffectKind::Unknown), "its expression is elsewhere", "yq(1)"),
])
.check(programs::yq);
const LOOK: Usage =
    Usage::safe("-abdft --alternative --alphanum --ignore-case", Operands::TextThen(AccessMode::Read)).rows(&[HELP]);
const TSORT: Usage = Usage::safe("", READ).rows(&[HELP]);
const DELTA: Usage =
    Usage::safe("-ns --line-numbers --side-by-side --color-only --no-gitconfig", READ).check(programs::less);

/// In order of their names.
pub(super) const PROGRAMS: &[Entry] = &[
    ("ag", Form::Simple(&AG)),
    ("awk", Form::Simple(&AWK)),
    ("bat", Form::Simple(&BAT)),
    ("batcat", Form::Simple(&BAT)),
    ("cmp", Form::Simple(&CMP)),
    ("colordiff", Form::Simple(&DIFF)),
    ("column", Form::Simple(&COLUMN)),
    ("delta", Form::Simple(&DELTA)),
    ("diff", Form::Simple(&DIFF)),
    ("egrep", Form::Simple(&GREP)),
    ("fgrep", Form::Simple(&GREP)),
    ("file", Form::Simple(&FILE)),
    ("gawk", Form::Simple(&AWK)),
    ("ggrep", Form::Simple(&GREP)),
    ("grep", Form::Simple(&GREP)),
    ("gsed", Form::Simple(&SED)),
    ("hd", Form::Simple(&HEXDUMP)),
    ("hexdump", Form::Simple(&HEXDUMP)),
    ("iconv", Form::Simple(&ICONV)),
    ("jq", Form::Simple(&JQ)),
    ("less", Form::Simple(&LESS)),
    ("look", Form::Simple(&LOOK)),
    ("mawk", Form::Simple(&AWK)),
    ("more", Form::Simple(&LESS)),
    ("nawk", Form::Simple(&AWK)),
    ("rg", Form::Simple(&RG)),
    ("sed", Form::Simple(&SED)),
    ("strings", Form::Simple(&STRINGS)),
    ("tsort", Form::Simple(&TSORT)),
    ("xxd", Form::Simple(&XXD)),
    ("yq", Form::Simple(&YQ)),
    ("zgrep", Form::Simple(&GREP)),
];
