//! Programs that talk to a host that the command names.

use crate::analysis::Word;
use crate::effects::judge::Judge;
use crate::effects::options::Parsed;
use crate::effects::spec::{Act, Entry, Form, Operands, Usage, reads, row, runs, writes};
use crate::effects::words::{Shape, suffix, text_word};
use crate::effects::{AccessMode, EffectKind};

const NETWORK: EffectKind = EffectKind::Network;
const NAMES: &str = "talks to a host that the command names, and what it asks for can carry data out";

const CURL: Usage = Usage::does(
    NETWORK,
    NAMES,
    "-H= -X= -u= -A= -e= -m= -r= -x= -w= -y= -Y= -z= -C= -U= -P= -Q= -t= --header= --request= --user= --user-agent= --referer= --max-time= --connect-timeout= --range= --proxy= --write-out= --retry= --retry-delay= --url= --resolve= --limit-rate= --proto= --max-redirs= --oauth2-bearer= --data-raw= --json-raw= --ciphers= --interface=",
    Operands::Text,
)
.rows(&[
    writes("-o= --output= -D= --dump-header= -c= --cookie-jar= --output-dir= --trace= --trace-ascii= --etag-save= --stderr= --hsts= --alt-svc= --libcurl=", "writes the named file", "curl(1)"),
    reads("-T= --upload-file= --netrc-file= --cacert= --cert= -E= --key= --capath= --etag-compare= --crlfile="),
    row("-K= --config=", Act::Path(AccessMode::Read), "takes options from a file", "curl(1), GTFOBins"),
    row("-O --remote-name -J --remote-header-name --remote-name-all", Act::Edits, "writes a file named by the address", "curl(1)"),
    row("-d= --data= --data-ascii= --data-binary= --data-urlencode= --json= -F= --form= -b= --cookie=", Act::Pattern, "sends data", "curl(1)"),
    runs("--engine=", "loads a library", "curl(1), GTFOBins"),
])
.check(curl);
const WGET: Usage = Usage::does(
    NETWORK,
    NAMES,
    "-U= -T= -t= -w= -Q= -l= -A= -R= -D= -I= -X= -e= --header= --user= --password= --user-agent= --timeout= --tries= --level= --accept= --reject= --post-data= --body-data= --method=",
    Operands::Text,
)
.rows(&[
    writes("-O= --output-document= -o= --output-file= -a= --append-output= -P= --directory-prefix= --save-cookies= --warc-file=", "writes the named file", "wget(1)"),
    reads("-i= --input-file= --post-file= --body-file= --load-cookies= --config= --ca-certificate="),
    runs("--use-askpass=", "runs a program", "wget(1), GTFOBins"),
    row("--spider", Act::Pattern, "only asks", "wget(1)"),
])
.check(|judge, parsed| {
    let named = parsed.has(&["-O", "--output-document", "--spider", "-P", "--directory-prefix"]);
    if !named {
        judge.access(AccessMode::Write, text_word("."), false);
    }
});
const SCP: Usage = Usage::does(NETWORK, NAMES, "-P= -i= -o= -c= -l= -F= -J= -S= -D= -X=", Operands::Text)
    .rows(&[runs("-S= -o= -F=", "can name a program to run", "scp(1), GTFOBins"), reads("-i=")])
    .check(|judge, parsed| {
        let Some((dest, sources)) = parsed.operands.split_last() else {
            return;
        };
        let is_remote = |word: &Word| word.literal_prefix().split('/').next().is_some_and(|first| first.contains(':'));
        for source in sources {
            if !is_remote(source) {
                judge.touch(AccessMode::Read, source, true);
            }
        }
        if !is_remote(dest) {
            judge.touch(AccessMode::Write, dest, true);
        }
    });
const SSH: Usage =
    Usage::does(NETWORK, NAMES, "-p= -l= -L= -R= -D= -J= -b= -c= -m= -e= -I= -O= -Q= -W= -w= -B= -S=", Operands::Text)
        .rows(&[
            reads("-i="),
            row(
                "-o= -F=",
                Act::Has(EffectKind::ExecutesCode),
                "can name a program to run (ProxyCommand, LocalCommand)",
                "ssh(1), GTFOBins",
            ),
            writes("-E=", "writes a log", "ssh(1)"),
        ]);
const NC: Usage = Usage::does(NETWORK, NAMES, "-p= -w= -s= -q=", Operands::Text).rows(&[runs(
    "-e= -c= --exec= --sh-exec=",
    "runs a program for the connection",
    "nc(1), GTFOBins",
)]);
const DIG: Usage =
    Usage::does(NETWORK, "a looked-up name can carry data out", "-t= -p= -q= -x= -b= -c= -k= -y=", Operands::Text)
        .rows(&[reads("-f=")]);

/// The file of `@file` in data, `name=@file`, `name=<file` in forms.
fn curl(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    for seen in &parsed.options {
        let Some(value) = seen.value.as_deref() else {
            continue;
        };
        if !seen.row.is_some_and(|row| row.act == Act::Pattern) {
            continue;
        }
        let shape = Shape::of(value);
        let form = matches!(&*seen.name, "-F" | "--form");
        let mark = if form || seen.name == "--data-urlencode" {
            shape.head.find(['@', '<'])
        } else {
            shape.head.starts_with('@').then_some(0)
        };
        if let Some(mark) = mark {
            let mut file = suffix(value, &shape, mark.saturating_add(1));
            if let (true, Some(literal)) = (form, file.literal()) {
                file = text_word(literal.split(';').next().unwrap_or_default());
            }
            judge.touch(AccessMode::Read, &file, false);
        } else if matches!(&*seen.name, "-b" | "--cookie") && shape.literal().is_some_and(|text| !text.contains('=')) {
            judge.touch(AccessMode::Read, value, false);
        } else if shape.head.is_empty()
            && !shape.tail.is_empty()
            && matches!(&*seen.name, "-d" | "--data" | "--data-binary" | "--json")
        {
            judge.unknown_access(AccessMode::Read, false);
        }
    }
    if parsed.has(&["-O", "--remote-name", "--remote-name-all", "-J"]) {
        let target = parsed.value(&["--output-dir"]).cloned().unwrap_or_else(|| text_word("."));
        judge.touch(AccessMode::Write, &target, false);
    }
    for word in &parsed.operands {
        // `file:///etc/passwd` is a read.
        if let Some(path) = word.literal().as_deref().and_then(|text| text.strip_prefix("file://")) {
            judge.touch(AccessMode::Read, &text_word(path), false);
        }
    }
}

/// In order of their names.
pub(super) const PROGRAMS: &[Entry] = &[
    ("aria2c", Form::Always(NETWORK, NAMES)),
    ("curl", Form::Simple(&CURL)),
    ("dig", Form::Simple(&DIG)),
    ("drill", Form::Simple(&DIG)),
    ("finger", Form::Always(NETWORK, NAMES)),
    ("ftp", Form::Always(NETWORK, NAMES)),
    ("host", Form::Simple(&DIG)),
    ("http", Form::Always(NETWORK, NAMES)),
    ("httpie", Form::Always(NETWORK, NAMES)),
    ("https", Form::Always(NETWORK, NAMES)),
    ("mail", Form::Always(NETWORK, NAMES)),
    ("mtr", Form::Always(NETWORK, NAMES)),
    ("mysql", Form::Always(NETWORK, NAMES)),
    ("nc", Form::Simple(&NC)),
    ("ncat", Form::Simple(&NC)),
    ("netcat", Form::Simple(&NC)),
    ("nmap", Form::Always(NETWORK, NAMES)),
    ("nslookup", Form::Simple(&DIG)),
    ("openssl", Form::Always(NETWORK, "can talk to hosts, write files and load engines")),
    ("ping", Form::Always(NETWORK, NAMES)),
    ("ping6", Form::Always(NETWORK, NAMES)),
    ("psql", Form::Always(NETWORK, NAMES)),
    ("redis-cli", Form::Always(NETWORK, NAMES)),
    ("scp", Form::Simple(&SCP)),
    ("sendmail", Form::Always(NETWORK, NAMES)),
    ("sftp", Form::Always(NETWORK, NAMES)),
    ("socat", Form::Always(NETWORK, "connects anything to anything, programs included")),
    ("ssh", Form::Simple(&SSH)),
    ("telnet", Form::Always(NETWORK, NAMES)),
    ("tftp", Form::Always(NETWORK, NAMES)),
    ("traceroute", Form::Always(NETWORK, NAMES)),
    ("wget", Form::Simple(&WGET)),
    ("whois", Form::Always(NETWORK, NAMES)),
    ("xdg-open", Form::Always(EffectKind::ExecutesCode, "opens a program")),
];
