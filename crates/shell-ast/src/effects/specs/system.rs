//! Looking at the system, and changing it.

use crate::analysis::Word;
use crate::effects::judge::Judge;
use crate::effects::options::Parsed;
use crate::effects::spec::{
    Act, Entry, Form, HELP, Operands, Row, Sub, Tree, Usage, changes, reads, row, runs, sends, writes,
};
use crate::effects::{AccessMode, EffectKind, programs};

const TEXT: Operands = Operands::Text;
const SYSTEM: EffectKind = EffectKind::ChangesSystem;

macro_rules! simple {
    ($name:ident, $options:expr, $operands:expr) => {
        const $name: Usage = Usage::safe($options, $operands).rows(&[HELP]);
    };
}

simple!(
    PGREP,
    "-acfilnovwxAL -d= -g= -G= -P= -s= -t= -u= -U= -F= --count --delimiter= --list-name --list-full --full --newest --oldest --exact --parent= --euid= --uid= --ignore-case",
    TEXT
);
simple!(UPTIME, "-psr --pretty --since --raw", Operands::None);
simple!(
    FREE,
    "-bkmghltvw -c= -s= --bytes --kibi --mebi --gibi --tebi --kilo --mega --giga --human --si --lohi --total --seconds= --count= --wide",
    Operands::None
);
simple!(VMSTAT, "-adDfmnsStw -p= -S= --active --stats --slabs --disk --wide --timestamp --unit=", TEXT);
simple!(
    LSCPU,
    "-abcCeJpxyrh --all --online --bytes --offline --json --extended? --parse? --hex --physical --caches?",
    Operands::None
);
simple!(
    LSBLK,
    "-abdDfiJlmnOpPrsStTz -e= -I= -M= -o= -w= -x= --all --bytes --json --list --fs --output= --noheadings --paths --tree? --topology --nodeps",
    Operands::Files(AccessMode::Inspect)
);
simple!(LSMISC, "-abhklmnqstuvVx --all --json --list --output= --noheadings --raw --verbose", TEXT);
const GETENT: Usage = Usage::safe("-s= -i --service=", TEXT).rows(&[HELP]).check(|judge, parsed| {
    match parsed.operands.first().map(|word| word.literal()) {
        Some(Some(base)) if base.starts_with("ahosts") || base == "hosts" || base == "netgroup" => {
            if parsed.operands.len() > 1 {
                judge.raise(EffectKind::Network, "a looked-up name can carry data out");
            }
        }
        Some(Some(base)) if base == "shadow" || base == "gshadow" => judge.secret("prints password hashes"),
        None | Some(Some(_)) => {}
        Some(None) => judge.raise(EffectKind::Unknown, "which table it asks is not known"),
    }
});
simple!(PSTREE, "-aAcglGhnpsStTuUZ -C= -H= -N= --arguments --compact-not --show-pids --show-parents --long", TEXT);
simple!(LAST, "-adFiRwxh# -n= -s= -t= -p=", TEXT);
simple!(SWVERS, "-productName -productVersion -buildVersion", TEXT);
simple!(NOTHING, "", Operands::None);
simple!(IFCONFIG, "-a", Operands::None);
simple!(GETCONF, "-a -v=", TEXT);
simple!(LOCALE, "-acmk --all-locales --charmaps --verbose", TEXT);
simple!(TPUT, "-S -T= -V", TEXT);
simple!(CAL, "-13jmnswyYhAB# --one --three --sunday --monday --julian --year", TEXT);

const PS: Usage = Usage::safe(
    "-AacdefFHhjLlMmNrSTvVwxyZ -C= -g= -G= -k= -n= -o= -O= -p= -q= -s= -t= -u= -U= --forest --headers --no-headers --sort= --format= --pid= --ppid= --user= --cols= --columns= --cumulative --deselect --width= --rows=",
    TEXT,
)
.rows(&[HELP])
.check(|judge, parsed| {
    // `ps e`, `ps auxe`, `ps -E`: the environment of each process.
    if environments(judge, &parsed.operands) {
        judge.secret("shows the environment of processes");
    }
});

/// Letters without a dash may come in several words; `o`, `O`, `k`, `p`, `q`, `t`, `U` take the rest or the next word.
fn environments(judge: &Judge<'_>, operands: &[&Word]) -> bool {
    const VALUED: [char; 7] = ['o', 'O', 'k', 'p', 'q', 't', 'U'];
    let mut value = false;
    for word in operands {
        let letters = word.literal_prefix();
        let cut = letters.find(VALUED);
        if !value && letters.get(..cut.unwrap_or(letters.len())).is_some_and(|flags| flags.contains('e')) {
            return true;
        }
        value = !value && cut.is_some_and(|at| at.saturating_add(1) == letters.len());
    }
    judge.words.iter().any(|word| word.raw.contains("environ"))
}

const JOURNALCTL: Usage = Usage::safe(
    "-abefklmNqrx -n? -o= -p= -S= -t= -u= -U= -g= -F= -c= -D= -M= --all --boot? --catalog --case-sensitive? --cursor= --dmesg --disk-usage --field= --fields --follow --full --grep= --header --identifier= --lines? --list-boots --list-catalog --merge --no-full --no-hostname --no-pager --no-tail --output= --output-fields= --pager-end --priority= --quiet --reverse --since= --system --unit= --until= --user --user-unit= --utc --truncate-newline --facility=",
    TEXT,
)
.rows(&[
    HELP,
    changes("--flush --rotate --sync --relinquish-var --smart-relinquish-var --setup-keys --update-catalog --vacuum-size= --vacuum-time= --vacuum-files=", "changes the journal", "journalctl(1)"),
    writes("--cursor-file=", "writes the cursor", "journalctl(1)"),
    reads("--file= --directory= --root="),
]);

const SYSTEMCTL_GLOBAL: Usage = Usage::safe(
    "-aqlr -n= -o= -p= -P= -t= --all --full --no-pager --no-legend --plain --quiet --user --system --type= --state= --property= --value --lines= --output= --failed --recursive --legend= --show-types --timestamp=",
    TEXT,
)
.rows(&[HELP, sends("-H= --host=", "talks to another machine", "systemctl(1)"), sends("-M= --machine=", "talks to a container", "systemctl(1)")]);
const SYSTEMCTL_READ: Usage = Usage { reason: "asks the service manager", ..SYSTEMCTL_GLOBAL };
const SYSTEMCTL: Tree = Tree {
    globals: &SYSTEMCTL_GLOBAL,
    subs: &[Sub::new(
        "status|show|list-units|list-unit-files|list-timers|list-sockets|list-jobs|list-dependencies|list-paths|list-automounts|is-active|is-enabled|is-failed|is-system-running|cat|get-default|help",
        SYSTEMCTL_READ,
    )],
    other: (SYSTEM, "changes services"),
};

const CRONTAB: Usage = Usage::does(SYSTEM, "changes scheduled jobs", "-eri -u= -s", Operands::Files(AccessMode::Read));
const CRONTAB_LIST: Usage = Usage::safe("-l -u=", Operands::None);
const MOUNT: Usage = Usage::safe("-lv -t= --types= --show-labels", Operands::None).rows(&[HELP]);
const SYSCTL: Usage = Usage::safe("-abdeNnqrAX --all --names --values --pattern= --ignore", TEXT)
    .rows(&[HELP, changes("-w -p? -f? --write --load? --system", "sets kernel parameters", "sysctl(8)")])
    .check(|judge, parsed| {
        if parsed.operands.iter().any(|word| word.literal().is_none_or(|text| text.contains('='))) {
            judge.raise(SYSTEM, "sets kernel parameters");
        }
    });
const IP_LIKE: Usage = Usage::safe("-46abBehiIlmMnOoprsStTuvwxZg -A= -f= --all --numeric --listening --tcp --udp --unix --programs --processes --summary --json --brief --oneline", TEXT)
    .rows(&[HELP, changes("-K --kill", "closes sockets", "ss(8)"), reads("-F= --filter="), row("-D= --diag=", Act::Path(AccessMode::Write), "writes a dump", "ss(8)")]);
const DMESG: Usage = Usage::safe("-dehHJkLlPrTtuxwW -f= -s= --human --level= --facility= --ctime --kernel --userspace --json --color? --nopager --follow --time-format= --since= --until=", TEXT)
    .rows(&[HELP, changes("-cCDE -n= --clear --read-clear --console-off --console-on --console-level=", "changes the kernel log", "dmesg(1)"), reads("-F= --file=")]);
const TOP: Usage =
    Usage::safe("-b -n= -d= -o= -p= -u= -U= -H -i -c -l= -s= -w?", Operands::None).check(|judge, parsed| {
        if !parsed.has(&["-b", "-l"]) {
            judge.raise(EffectKind::Unknown, "an interactive top can kill processes");
        }
    });
const MAN_ROWS: &[Row] = &[
    HELP,
    runs(
        "-P= --pager= -H? --html? -X? --gxditview? -T? --troff-device? -t --troff -l --local-file -C= --config-file= -p= --preprocessor= -Z --ditroff",
        "runs a program",
        "man(1), GTFOBins",
    ),
];
const MAN: Usage =
    Usage::safe("-fkwWaKiI -s= -S= -M= -m= -L= --whatis --apropos --where --path --all --sections=", TEXT)
        .rows(MAN_ROWS)
        .check(|judge, parsed| {
            if parsed.operands.iter().any(|word| word.literal().is_none_or(|text| text.contains('/'))) {
                judge.raise(EffectKind::Unknown, "shows a file by its path");
            }
            if parsed.has(&["-M", "-m"]) {
                judge.raise(EffectKind::Unknown, "takes pages from another place");
            }
        });
const DPKG: Usage = Usage::safe("-lLsSpW -f= --list --listfiles --status --search --print-avail --show --showformat= --print-architecture --get-selections --no-pager", TEXT)
    .rows(&[HELP]);
const DPKG_ANY: Usage = Usage {
    rows: &[
        HELP,
        changes(
            "-irPCE --install --remove --purge --configure --unpack --set-selections --clear-selections --add-architecture --update-avail --force-all",
            "changes packages",
            "dpkg(1)",
        ),
    ],
    ..DPKG
};
const RPM: Usage = Usage::safe("-qailfRcdspv --query --all --info --list --file --requires --provides --qf= --queryformat= --whatprovides --whatrequires --last --changelog", TEXT)
    .rows(&[HELP])
    .check(rpm);

/// `rpm -i` installs, `rpm -qi` informs; a package may be an address.
fn rpm(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    if !parsed.has(&["-q", "--query"]) {
        judge.raise(SYSTEM, "without `-q` it installs or checks packages");
    }
    if parsed.operands.iter().any(|word| word.literal().is_none_or(|text| text.contains(':'))) {
        judge.raise(EffectKind::Network, "fetches the package from an address");
    }
}
const APT_GLOBAL: Usage =
    Usage::safe("-qanv --quiet --installed --upgradable --all-versions --names-only --full --no-pager", TEXT)
        .rows(&[HELP]);
const APT: Tree = Tree {
    globals: &APT_GLOBAL,
    subs: &[Sub::new(
        "list|show|search|policy|showpkg|depends|rdepends|madison|pkgnames|showsrc|stats|changelog",
        APT_GLOBAL,
    )],
    other: (SYSTEM, "changes packages"),
};
const BREW_GLOBAL: Usage = Usage::safe("-v1lrt --versions --json? --formula --cask --verbose --quiet --installed --tree --full-name --pinned --prefix --cellar --cache --multiple --leaves", TEXT).rows(&[HELP]).check(|judge, parsed| {
    // `user/tap/formula` fetches a repository and runs its Ruby, as does a path or an address.
    if parsed.operands.iter().any(|word| word.literal().is_none_or(|text| text.contains('/'))) {
        judge.raise(EffectKind::ExecutesCode, "a formula of another tap is fetched and its code loaded");
    }
});
const BREW: Tree = Tree {
    globals: &BREW_GLOBAL,
    subs: &[Sub::new("list|ls|info|search|outdated|deps|uses|config|doctor|leaves|desc", BREW_GLOBAL)],
    other: (SYSTEM, "changes packages"),
};
const LOGINCTL: Tree = Tree {
    globals: &SYSTEMCTL_GLOBAL,
    subs: &[Sub::new(
        "list-sessions|list-users|list-seats|session-status|user-status|show-session|show-user|status|show",
        SYSTEMCTL_READ,
    )],
    other: (SYSTEM, "changes sessions or settings"),
};
const KILL: Usage = Usage::does(SYSTEM, "sends signals to processes", "", TEXT);
const OPEN_PORTS: Usage = IP_LIKE;

fn crontab(judge: &mut Judge<'_>) {
    let lists = judge.words.iter().any(|word| word.literal().as_deref() == Some("-l"));
    judge.usage(if lists { &CRONTAB_LIST } else { &CRONTAB }, judge.words);
}

/// Options of ip that shape what it prints.
const IP_OPTIONS: &[&str] =
    &["-br", "-brief", "-j", "-json", "-p", "-pretty", "-4", "-6", "-o", "-s", "-d", "-c", "-color"];
/// Its objects, with abbreviations.
const IP_OBJECTS: &[&str] = &["a", "addr", "address", "l", "link", "r", "route", "neigh", "n", "rule"];

/// `ip addr`, `ip -br link show`: `show`, `list`, `get` or nothing after the object. Verbs may be abbreviated, and the
/// shortest form is not always the harmless one: `ip link s` sets, `ip route a` adds.
fn ip(judge: &mut Judge<'_>) {
    judge.raise(EffectKind::ReadOnly, "asks the kernel about interfaces and routes");
    let words: Vec<String> = judge.words.iter().map(|word| word.literal().unwrap_or_default()).collect();
    let mut rest = words.iter().map(String::as_str).skip_while(|word| IP_OPTIONS.contains(word));
    let object = rest.next();
    let fits = match object {
        None => true,
        Some(object) if IP_OBJECTS.contains(&object) => match rest.next() {
            None | Some("show" | "list" | "ls" | "get") => true,
            Some("sh" | "s") => !object.starts_with('l'),
            Some(_) => false,
        },
        Some(_) => false,
    };
    if !fits || !rest.all(|word| !word.is_empty() && !word.starts_with('-')) {
        judge.raise(SYSTEM, "changes interfaces, addresses or routes");
    }
}

/// In order of their names.
pub(super) const PROGRAMS: &[Entry] = &[
    ("apropos", Form::Simple(&MAN)),
    ("apt", Form::Tree(&APT)),
    ("apt-cache", Form::Tree(&APT)),
    ("apt-get", Form::Always(SYSTEM, "changes packages")),
    ("at", Form::Always(SYSTEM, "schedules a job")),
    ("batch", Form::Always(SYSTEM, "schedules a job")),
    ("brew", Form::Tree(&BREW)),
    ("cal", Form::Simple(&CAL)),
    ("chsh", Form::Always(SYSTEM, "changes an account")),
    ("crontab", Form::Special(crontab)),
    ("csrutil", Form::Always(SYSTEM, "changes platform security")),
    ("defaults", Form::Always(SYSTEM, "changes settings")),
    ("diskutil", Form::Always(SYSTEM, "changes disks")),
    ("dmesg", Form::Simple(&DMESG)),
    ("dnf", Form::Always(SYSTEM, "changes packages")),
    ("dpkg", Form::Simple(&DPKG_ANY)),
    ("dpkg-query", Form::Simple(&DPKG)),
    ("env", Form::Special(programs::env)),
    ("free", Form::Simple(&FREE)),
    ("getconf", Form::Simple(&GETCONF)),
    ("getent", Form::Simple(&GETENT)),
    ("groupadd", Form::Always(SYSTEM, "changes accounts")),
    ("halt", Form::Always(SYSTEM, "stops the machine")),
    ("hostnamectl", Form::Tree(&LOGINCTL)),
    ("ifconfig", Form::Simple(&IFCONFIG)),
    ("insmod", Form::Always(SYSTEM, "loads a kernel module")),
    ("ip", Form::Special(ip)),
    ("iptables", Form::Always(SYSTEM, "changes packet filters")),
    ("journalctl", Form::Simple(&JOURNALCTL)),
    ("kill", Form::Simple(&KILL)),
    ("killall", Form::Simple(&KILL)),
    ("last", Form::Simple(&LAST)),
    ("launchctl", Form::Always(SYSTEM, "changes services")),
    ("locale", Form::Simple(&LOCALE)),
    ("loginctl", Form::Tree(&LOGINCTL)),
    ("lsblk", Form::Simple(&LSBLK)),
    ("lscpu", Form::Simple(&LSCPU)),
    ("lsmod", Form::Simple(&NOTHING)),
    ("lspci", Form::Simple(&LSMISC)),
    ("lsusb", Form::Simple(&LSMISC)),
    ("man", Form::Simple(&MAN)),
    ("mkfs", Form::Always(SYSTEM, "makes a file system")),
    ("modprobe", Form::Always(SYSTEM, "loads a kernel module")),
    ("mount", Form::Simple(&MOUNT)),
    ("netstat", Form::Simple(&OPEN_PORTS)),
    ("pacman", Form::Always(SYSTEM, "changes packages")),
    ("passwd", Form::Always(SYSTEM, "changes an account")),
    ("pgrep", Form::Simple(&PGREP)),
    ("pidof", Form::Simple(&PGREP)),
    ("pkill", Form::Simple(&KILL)),
    ("poweroff", Form::Always(SYSTEM, "stops the machine")),
    ("printenv", Form::Special(programs::printenv)),
    ("ps", Form::Simple(&PS)),
    ("pstree", Form::Simple(&PSTREE)),
    ("reboot", Form::Always(SYSTEM, "restarts the machine")),
    ("renice", Form::Always(SYSTEM, "changes priorities")),
    ("rpm", Form::Simple(&RPM)),
    ("security", Form::Always(SYSTEM, "changes or shows keychains")),
    ("service", Form::Always(SYSTEM, "changes services")),
    ("setenforce", Form::Always(SYSTEM, "changes platform security")),
    ("shutdown", Form::Always(SYSTEM, "stops the machine")),
    ("spctl", Form::Always(SYSTEM, "changes platform security")),
    ("ss", Form::Simple(&OPEN_PORTS)),
    ("sw_vers", Form::Simple(&SWVERS)),
    ("swapoff", Form::Always(SYSTEM, "changes swap")),
    ("swapon", Form::Always(SYSTEM, "changes swap")),
    ("sysctl", Form::Simple(&SYSCTL)),
    ("systemctl", Form::Tree(&SYSTEMCTL)),
    ("timedatectl", Form::Tree(&LOGINCTL)),
    ("top", Form::Simple(&TOP)),
    ("tput", Form::Simple(&TPUT)),
    ("umount", Form::Always(SYSTEM, "unmounts file systems")),
    ("uptime", Form::Simple(&UPTIME)),
    ("useradd", Form::Always(SYSTEM, "changes accounts")),
    ("userdel", Form::Always(SYSTEM, "changes accounts")),
    ("usermod", Form::Always(SYSTEM, "changes accounts")),
    ("vmstat", Form::Simple(&VMSTAT)),
    ("w", Form::Simple(&LSMISC)),
    ("whatis", Form::Simple(&MAN)),
    ("whereis", Form::Simple(&LSMISC)),
    ("wipefs", Form::Always(SYSTEM, "wipes a disk")),
    ("yum", Form::Always(SYSTEM, "changes packages")),
];
