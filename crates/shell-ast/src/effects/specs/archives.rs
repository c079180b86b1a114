//! Archives and compression. GTFOBins, "tar", "zip": `--checkpoint-action`, `-I`, `-TT`.

use crate::effects::spec::{Act, Entry, Form, HELP, Operands, Usage, reads, row, runs};
use crate::effects::{AccessMode, EffectKind, programs};

const READ: Operands = Operands::Files(AccessMode::Read);

const TAR: Usage = Usage::safe(
    "-tvzjJZxcruAdkmOphaPSln -f= -C= -b= --list --verbose --extract --get --create --append --update --catenate --diff --compare --file= --directory= --gzip --gunzip --bzip2 --xz --zstd --lzma --lzip --auto-compress --to-stdout --exclude= --exclude-vcs --wildcards --no-wildcards --anchored --strip-components= --transform= --xform= --numeric-owner --no-same-owner --no-same-permissions --same-permissions --preserve-permissions --keep-old-files --overwrite --full-time --quoting-style= --sort= --mtime= --owner= --group= --mode= --dereference --one-file-system --ignore-zeros --totals? --blocking-factor= --format= --occurrence? --show-transformed-names --block-number --test-label --force-local --no-recursion --absolute-names",
    Operands::Text,
)
.rows(&[
    HELP,
    runs("-I= --use-compress-program=", "runs a program", "tar(1), GTFOBins"),
    runs("-F= --info-script= --new-volume-script=", "runs a program at the end of a volume", "tar(1)"),
    runs("--checkpoint-action=", "can run a program at each checkpoint", "tar(1), GTFOBins"),
    runs("--to-command=", "pipes each member into a program", "tar(1), GTFOBins"),
    runs("--rsh-command= --rmt-command=", "runs a program to reach the archive", "tar(1)"),
    row("--checkpoint?", Act::Pattern, "only counts", "tar(1)"),
    row("--remove-files --unlink-first --recursive-unlink", Act::Has(EffectKind::WritesFiles), "deletes files", "tar(1)"),
    row("-g= --listed-incremental= --index-file=", Act::Path(AccessMode::Write), "writes a snapshot or index", "tar(1)"),
    reads("-T= --files-from= -X= --exclude-from="),
])
.check(programs::tar_mode);

const UNZIP: Usage =
    Usage::does(EffectKind::WritesFiles, "unpacks an archive", "-aAbBCDfjKLMnoqtTuUvVWXZlpcz -x= -P=", Operands::Text)
        .rows(&[row("-d=", Act::Target, "unpacks there", "unzip(1)")])
        .check(|judge, parsed| {
            if let Some(archive) = parsed.operands.first() {
                judge.touch(AccessMode::Read, archive, false);
            }
            let here = crate::effects::words::text_word(".");
            judge.touch(AccessMode::Write, parsed.value(&["-d"]).unwrap_or(&here), true);
        });
/// Without `-P`, whose value could pass for one of these options.
const UNZIP_LIST: Usage = Usage::safe("-lvqtzZhC1smpc", Operands::Text).check(|judge, parsed| {
    if let Some(archive) = parsed.operands.first() {
        judge.touch(AccessMode::Read, archive, false);
    }
});
const ZIPINFO: Usage = Usage::safe("-12smlvhtzCTM", Operands::Text).check(|judge, parsed| {
    if let Some(archive) = parsed.operands.first() {
        judge.touch(AccessMode::Read, archive, false);
    }
});
const GZIP: Usage = Usage::does(
    EffectKind::WritesFiles,
    "replaces files by packed or unpacked ones",
    "-acdfhklLnNqtvVz# -S= -b= -T= -M= --stdout --decompress --keep --list --test --force",
    Operands::Files(AccessMode::Write),
);
const GZIP_PRINTS: Usage = Usage::safe(
    "-cdklqtvfn# --stdout --to-stdout --decompress --uncompress --keep --list --test --quiet --verbose --force",
    READ,
)
.rows(&[HELP])
.check(|judge, parsed| {
    // What stands behind `--` is a file, however it is called.
    let asks = parsed.has(&["-c", "-l", "-t", "--stdout", "--to-stdout", "--list", "--test"]);
    if !asks && !parsed.operands.is_empty() {
        judge.raise(EffectKind::WritesFiles, "replaces files by packed or unpacked ones");
    }
});
const ZCAT: Usage = Usage::safe("-fqvl --force --quiet --verbose", READ).rows(&[HELP]);
const ZIP: Usage =
    Usage::does(EffectKind::WritesFiles, "writes an archive", "-rqj# -x= -i= -P= -b= -t=", Operands::Text)
        .rows(&[runs("-T --test --unzip-command=", "can run a test command", "zip(1), GTFOBins")])
        .check(|judge, parsed| {
            if let Some((archive, members)) = parsed.operands.split_first() {
                judge.touch(AccessMode::Write, archive, false);
                for member in members {
                    judge.touch(AccessMode::Read, member, true);
                }
            }
        });

/// `unzip -l`, `-Z`, `-p`: lists or prints; otherwise it unpacks. Options stand before the archive; what follows it are
/// members, however they are called.
fn unzip(judge: &mut crate::effects::judge::Judge<'_>) {
    let prints = judge
        .words
        .iter()
        .map_while(|word| Some(word.literal_prefix()).filter(|head| head.starts_with('-')))
        .any(|head| !head.starts_with("--") && head.contains(['l', 'Z', 'p', 'c', 't', 'v', 'z']));
    judge.usage(if prints { &UNZIP_LIST } else { &UNZIP }, judge.words);
}

/// `gzip -c`, `-l`, `-t`: prints or tests.
fn gzip(judge: &mut crate::effects::judge::Judge<'_>) {
    let prints = judge.words.is_empty()
        || judge.reads_pipe() && judge.words.iter().all(|word| word.literal_prefix().starts_with('-'))
        || judge.words.iter().any(|word| {
            let head = word.literal_prefix();
            let short = head.starts_with('-') && !head.starts_with("--") && head.contains(['c', 'l', 't']);
            short || matches!(&*head, "--stdout" | "--to-stdout" | "--list" | "--test")
        });
    judge.usage(if prints { &GZIP_PRINTS } else { &GZIP }, judge.words);
}

/// In order of their names.
pub(super) const PROGRAMS: &[Entry] = &[
    ("bunzip2", Form::Special(gzip)),
    ("bzcat", Form::Simple(&ZCAT)),
    ("bzip2", Form::Special(gzip)),
    ("gunzip", Form::Special(gzip)),
    ("gzip", Form::Special(gzip)),
    ("tar", Form::Special(|judge| programs::tar(judge, &TAR))),
    ("unxz", Form::Special(gzip)),
    ("unzip", Form::Special(unzip)),
    ("unzstd", Form::Special(gzip)),
    ("xz", Form::Special(gzip)),
    ("xzcat", Form::Simple(&ZCAT)),
    ("zcat", Form::Simple(&ZCAT)),
    ("zip", Form::Simple(&ZIP)),
    ("zipinfo", Form::Simple(&ZIPINFO)),
    ("zstd", Form::Special(gzip)),
    ("zstdcat", Form::Simple(&ZCAT)),
];
