//! Raw disks.

use super::{FloorRule, Program, Subject};
use crate::words::Target;

pub(super) const RULE: FloorRule = FloorRule {
    id: "raw-disk",
    summary: "writes to a disk device, makes a file system, or changes a partition table",
    source: "dd(1), mkfs(8), wipefs(8), fdisk(8), parted(8), diskutil(8)",
    check,
};

/// Names of block devices below `/dev` (Linux `Documentation/admin-guide/devices.txt`; macOS disk(4)).
const DISKS: &[&str] = &[
    "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "md", "dm-", "mapper/", "loop", "sr", "nbd", "zd",
    "bcache", "pmem",
];

/// Programs that write to a device, and the words with which they only look.
const WRITERS: &[(&str, &[&str])] = &[
    ("fdisk", &["-l", "--list", "-s", "-v", "--version", "-h", "--help"]),
    ("sfdisk", &["-l", "--list", "-d", "--dump", "-J", "--json", "-V", "--verify", "-v", "--version", "-h", "--help"]),
    ("gdisk", &["-l"]),
    ("sgdisk", &["-p", "--print", "-i", "--info", "-v", "--verify", "-V", "--version"]),
    ("cfdisk", &["-h", "--help", "-V", "--version"]),
    ("parted", &["-l", "--list", "print", "-v", "--version", "-h", "--help"]),
    ("blkdiscard", &["-h", "--help", "-V", "--version"]),
    ("mkswap", &["-h", "--help", "-V", "--version"]),
    ("badblocks", &["-h"]),
];

fn check(subject: &Subject<'_>) -> Option<String> {
    by_access(subject).or_else(|| {
        let local = subject.programs.iter().filter(|program| !program.command.remote);
        local.into_iter().find_map(by_program)
    })
}

fn by_access(subject: &Subject<'_>) -> Option<String> {
    let paths = subject.shell.iter().filter(|access| access.mode.changes()).filter_map(|access| match &access.target {
        Target::Path(path) => Some(path),
        Target::Glob(_) | Target::Unknown => None,
    });
    paths.chain(subject.written.iter().copied()).find_map(|path| {
        let spelled = [&path.resolved, &path.absolute];
        let device = spelled.iter().find_map(|path| path.to_str()?.strip_prefix("/dev/"))?;
        DISKS.iter().any(|disk| device.starts_with(disk)).then(|| format!("writes to the disk device `/dev/{device}`"))
    })
}

fn by_program(program: &Program<'_>) -> Option<String> {
    let name = program.name.as_str();
    if (name == "mkfs" || name.starts_with("mkfs.") || name.starts_with("newfs")) && program.operands().next().is_some()
    {
        return Some(format!("makes a file system with `{name}`"));
    }
    if name == "wipefs"
        && (program.has_long("--all", 4) || program.known().any(|word| super::in_cluster(word, 'a', "ot")))
    {
        return Some("erases file-system signatures with `wipefs`".to_owned());
    }
    if name == "diskutil" {
        let verb = program.operands().next().unwrap_or_default().to_ascii_lowercase();
        let erases = ["erase", "partition", "zero", "random", "secureerase", "reformat", "apfs"]
            .iter()
            .any(|word| verb.starts_with(word));
        return (erases && !program.has(&["list"])).then(|| format!("changes disks with `diskutil {verb}`"));
    }
    let (_, looks) = WRITERS.iter().find(|(writer, _)| *writer == name)?;
    let named = program.operands().next().is_some();
    (named && !program.has(looks)).then(|| format!("changes a disk or partition table with `{name}`"))
}
