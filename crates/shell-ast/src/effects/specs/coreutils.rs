//! GNU and BSD core utilities that print (GNU coreutils manual).

use crate::effects::spec::Act;
use crate::effects::spec::{Entry, Form, HELP, Operands, Order, Usage, changes, reads, recursive, row, runs, writes};
use crate::effects::{AccessMode, EffectKind, programs};

const READ: Operands = Operands::Files(AccessMode::Read);

macro_rules! simple {
    ($name:ident, $options:expr, $operands:expr) => {
        simple!($name, $options, $operands, &[HELP]);
    };
    ($name:ident, $options:expr, $operands:expr, $rows:expr) => {
        const $name: Usage = Usage::safe($options, $operands).rows($rows);
    };
}

simple!(BASE64, "-dDi -w= -b= --decode --ignore-garbage --wrap=", READ);
simple!(BASENAME, "-az -s= --multiple --suffix= --zero", Operands::Text);
simple!(
    CAT,
    "-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting",
    READ
);
simple!(CKSUM, "-a= -l= --algorithm= --length= --untagged --tag --raw --base64 --zero", READ);
simple!(COMM, "-123iz --check-order --nocheck-order --output-delimiter= --total --zero-terminated", READ);
simple!(
    CUT,
    "-b= -c= -d= -f= -nswz --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter= --zero-terminated",
    READ
);
simple!(
    DATE,
    "-d= -I? -Rujn --date= --iso-8601? --rfc-3339= --rfc-email --utc --universal --debug --resolution -v=",
    Operands::Text,
    &[
        HELP,
        changes("-s= --set=", "sets the clock", "date(1)"),
        reads("-f= --file="),
        row("-r= --reference=", Act::Path(AccessMode::Inspect), "looks at a file's time", "date(1)"),
    ]
);
simple!(
    DF,
    "-ahHiklmPT -B= -t= -x= --all --block-size= --human-readable --si --inodes --local --no-sync --output? --portability --sync --total --type= --print-type --exclude-type=",
    Operands::Files(AccessMode::Inspect)
);
simple!(DIRNAME, "-z --zero", Operands::Text);
simple!(
    DU,
    "-0abcDhHkLlmPSsxg -B= -d= -t= -I= --null --all --apparent-size --block-size= --bytes --total --dereference-args --max-depth= --human-readable --inodes --dereference --count-links --no-dereference --separate-dirs --si --summarize --threshold= --time? --time-style= --exclude= --one-file-system",
    Operands::FilesOrCwd(AccessMode::Inspect),
    &[HELP, reads("-X= --exclude-from= --files0-from=")]
);
simple!(EXPAND, "-i -t= --initial --tabs= -a --all --first-only", READ);
simple!(EXPR, "", Operands::Text);
simple!(
    FMT,
    "-cstu -w= -p= -g= --width= --prefix= --goal= --crown-margin --split-only --tagged-paragraph --uniform-spacing -#",
    READ
);
simple!(FOLD, "-bs -w= --bytes --spaces --width= -#", READ);
simple!(HEAD, "-qvz# -n= -c= --bytes= --lines= --quiet --silent --verbose --zero-terminated", READ);
simple!(
    HASH,
    "-btwzcq0 --binary --text --tag --zero --ignore-missing --quiet --status --strict --warn --check -a= --algorithm= -s= -r",
    READ
);
simple!(
    HOSTNAME,
    "-fisIdAa --fqdn --long --ip-address --short --all-ip-addresses --domain --alias",
    Operands::Text,
    &[HELP, changes("-b -F= --boot --file=", "sets the name of the machine", "hostname(1)")]
);
simple!(ID, "-agGnruzZ --context --group --groups --name --real --user --zero", Operands::Text);
simple!(
    JOIN,
    "-iz -a= -e= -o= -t= -v= -j= -1= -2= --ignore-case --check-order --nocheck-order --header --zero-terminated",
    READ
);
simple!(
    LS,
    "-1aAbBcCdDfFgGhHiklLmnNopqQrsStuUvxXZ@%,eOPWy -I= -w= -T? --all --almost-all --author --escape --block-size= --ignore-backups --color? --directory --dired --classify? --file-type --format= --full-time --group-directories-first --no-group --human-readable --si --dereference-command-line --hide= --hyperlink? --indicator-style= --inode --ignore= --kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --quoting-style= --reverse --size --sort= --time= --time-style= --tabsize= --width= --context --zero",
    Operands::FilesOrCwd(AccessMode::Inspect),
    &[HELP, recursive("-R --recursive")]
);
simple!(
    NL,
    "-b= -d= -f= -h= -i= -l= -n= -p -s= -v= -w= --body-numbering= --section-delimiter= --footer-numbering= --header-numbering= --line-increment= --join-blank-lines= --number-format= --no-renumber --number-separator= --starting-line-number= --number-width=",
    READ
);
simple!(NPROC, "--all --ignore=", Operands::None);
simple!(
    NUMFMT,
    "-d= -z --debug --delimiter= --field= --format= --from= --from-unit= --grouping --header? --invalid= --padding= --round= --suffix= --to= --to-unit= --zero-terminated",
    Operands::Text
);
simple!(
    OD,
    "-abcdDeFfhHiIlLoOsvxX -A= -j= -N= -S? -t= -w? --address-radix= --endian= --format= --read-bytes= --skip-bytes= --strings? --traditional --output-duplicates --width?",
    READ
);
simple!(PASTE, "-sz -d= --delimiters= --serial --zero-terminated", READ);
simple!(PATHCHK, "-pP --portability", Operands::Text);
simple!(
    PR,
    "-adFfJmrtTv# -D= -e? -h= -i? -l= -n? -N= -o= -s? -S? -w= -W= --across --columns= --header= --length= --omit-header",
    READ
);
simple!(PWD, "-LP --logical --physical", Operands::None);
simple!(
    READLINK,
    "-efmnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero",
    Operands::Files(AccessMode::Inspect)
);
simple!(
    REALPATH,
    "-eLmPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip --no-symlinks --zero --relative-to= --relative-base=",
    Operands::Files(AccessMode::Inspect)
);
simple!(REV, "-V0 --zero", READ);
simple!(SEQ, "-w -f= -s= --format= --separator= --equal-width -#", Operands::Text);
simple!(
    SHUF,
    "-erz -i= -n= --echo --input-range= --head-count= --repeat --zero-terminated",
    READ,
    &[HELP, reads("--random-source="), writes("-o= --output=", "writes its result to a file", "shuf(1)")]
);
simple!(SLEEP, "", Operands::Text);
simple!(
    SORT,
    "-bdfghiMmnRrsuVzcC -k= -S= -t= --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --sort= --version-sort --batch-size= --check? --debug --key= --merge --stable --buffer-size= --field-separator= --parallel= --unique --zero-terminated",
    READ,
    &[
        HELP,
        reads("--files0-from= --random-source="),
        writes("-o= --output=", "writes its result to a file", "sort(1)"),
        runs("--compress-program=", "runs a program on temporary files", "sort(1)"),
        writes("-T= --temporary-directory=", "puts temporary files there", "sort(1)"),
    ]
);
simple!(
    STAT,
    "-fLtxnqrsF -c= --dereference --file-system --cached= --format= --printf= --terse",
    Operands::Files(AccessMode::Inspect)
);
simple!(SUM, "-rs --sysv", READ);
simple!(TAC, "-br -s= --before --regex --separator=", READ);
simple!(
    TAIL,
    "-fFqrvz# -c= -n= -s= -b= --bytes= --follow? --lines= --max-unchanged-stats= --pid= --quiet --silent --retry --sleep-interval= --verbose --zero-terminated",
    READ
);
simple!(TR, "-cCdst --complement --delete --squeeze-repeats --truncate-set1", Operands::Text);
simple!(TTY, "-s --silent --quiet", Operands::None);
simple!(
    UNAME,
    "-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system",
    Operands::None
);
simple!(
    UNIQ,
    "-cdDiuz# -f= -s= -w= --count --repeated --all-repeated? --skip-fields= --group? --ignore-case --skip-chars= --unique --zero-terminated --check-chars=",
    Operands::InputOutput
);
simple!(
    WC,
    "-cmlwL --bytes --chars --lines --max-line-length --words --total=",
    READ,
    &[HELP, reads("--files0-from=")]
);
simple!(
    WHO,
    "-abdHlmpqrstTuw --all --boot --heading --login --lookup --count --users --mesg --message",
    Operands::Text
);
simple!(YES, "", Operands::Text);
simple!(NOTHING, "", Operands::None);

const DATE_CHECKED: Usage = DATE.check(programs::date);
const HOSTNAME_CHECKED: Usage = HOSTNAME.check(|judge, parsed| {
    if !parsed.operands.is_empty() {
        judge.raise(EffectKind::ChangesSystem, "an operand sets the name of the machine");
    }
});
const BASENC: Usage = Usage::safe(
    "-di -w= --decode --ignore-garbage --wrap= --base64 --base64url --base32 --base32hex --base16 --base2msbf --base2lsbf --z85",
    READ,
)
.rows(&[HELP]);
const BASE64_CHECKED: Usage = BASE64.rows(&[
    HELP,
    reads("--input="),
    // macOS: `-i` and `-o` name files there; GNU takes `-i` for --ignore-garbage.
    writes("-o= --output=", "writes its result to a file", "base64(1) of macOS"),
]);
const EXPR_POSIX: Usage = EXPR.order(Order::Posix);

/// In order of their names.
pub(super) const PROGRAMS: &[Entry] = &[
    ("arch", Form::Simple(&NOTHING)),
    ("b2sum", Form::Simple(&HASH)),
    ("base32", Form::Simple(&BASE64_CHECKED)),
    ("base64", Form::Simple(&BASE64_CHECKED)),
    ("basename", Form::Simple(&BASENAME)),
    ("basenc", Form::Simple(&BASENC)),
    ("cat", Form::Simple(&CAT)),
    ("cksum", Form::Simple(&CKSUM)),
    ("comm", Form::Simple(&COMM)),
    ("cut", Form::Simple(&CUT)),
    ("date", Form::Simple(&DATE_CHECKED)),
    ("df", Form::Simple(&DF)),
    ("dir", Form::Simple(&LS)),
    ("dirname", Form::Simple(&DIRNAME)),
    ("du", Form::Simple(&DU_RECURSIVE)),
    ("expand", Form::Simple(&EXPAND)),
    ("expr", Form::Simple(&EXPR_POSIX)),
    ("fmt", Form::Simple(&FMT)),
    ("fold", Form::Simple(&FOLD)),
    ("groups", Form::Simple(&ID)),
    ("head", Form::Simple(&HEAD)),
    ("hostname", Form::Simple(&HOSTNAME_CHECKED)),
    ("id", Form::Simple(&ID)),
    ("join", Form::Simple(&JOIN)),
    ("logname", Form::Simple(&NOTHING)),
    ("ls", Form::Simple(&LS)),
    ("md5", Form::Simple(&HASH)),
    ("md5sum", Form::Simple(&HASH)),
    ("nl", Form::Simple(&NL)),
    ("nproc", Form::Simple(&NPROC)),
    ("numfmt", Form::Simple(&NUMFMT)),
    ("od", Form::Simple(&OD)),
    ("paste", Form::Simple(&PASTE)),
    ("pathchk", Form::Simple(&PATHCHK)),
    ("pr", Form::Simple(&PR)),
    ("pwd", Form::Simple(&PWD)),
    ("readlink", Form::Simple(&READLINK)),
    ("realpath", Form::Simple(&REALPATH)),
    ("rev", Form::Simple(&REV)),
    ("seq", Form::Simple(&SEQ)),
    ("sha1sum", Form::Simple(&HASH)),
    ("sha224sum", Form::Simple(&HASH)),
    ("sha256sum", Form::Simple(&HASH)),
    ("sha384sum", Form::Simple(&HASH)),
    ("sha512sum", Form::Simple(&HASH)),
    ("shasum", Form::Simple(&HASH)),
    ("shuf", Form::Simple(&SHUF)),
    ("sleep", Form::Simple(&SLEEP)),
    ("sort", Form::Simple(&SORT)),
    ("stat", Form::Simple(&STAT)),
    ("sum", Form::Simple(&SUM)),
    ("tac", Form::Simple(&TAC)),
    ("tail", Form::Simple(&TAIL)),
    ("tr", Form::Simple(&TR)),
    ("tty", Form::Simple(&TTY)),
    ("uname", Form::Simple(&UNAME)),
    ("unexpand", Form::Simple(&EXPAND)),
    ("uniq", Form::Simple(&UNIQ)),
    ("users", Form::Simple(&NOTHING)),
    ("vdir", Form::Simple(&LS)),
    ("wc", Form::Simple(&WC)),
    ("who", Form::Simple(&WHO)),
    ("whoami", Form::Simple(&NOTHING)),
    ("yes", Form::Simple(&YES)),
];

const DU_RECURSIVE: Usage = DU.recursive();
