//! gh and glab: queries to the configured service (gh(1)).

use crate::effects::judge::Judge;
use crate::effects::options::Parsed;
use crate::effects::spec::Act;
use crate::effects::spec::{Entry, Form, HELP, Operands, Row, Sub, Tree, Usage, changes, row, runs, sends};
use crate::effects::{AccessMode, EffectKind, programs};

const TEXT: Operands = Operands::Text;
const SYSTEM: EffectKind = EffectKind::ChangesSystem;
const ASKS: &str = "asks its own service";

const ROWS: &[Row] =
    &[HELP, runs("-w --web", "opens a browser", "gh(1)"), sends("--hostname=", "talks to another host", "gh(1)")];
/// Filters of `--jq` have the environment at hand; a repository or an address can name another host.
fn elsewhere(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    for seen in &parsed.options {
        match (&*seen.name, seen.value.as_deref()) {
            ("-q" | "--jq", Some(filter)) => match filter.literal() {
                Some(filter) => programs::filter_secrets(judge, &filter),
                None => {
                    judge.raise(EffectKind::Unknown, "its filter is not literal, and filters can read the environment");
                }
            },
            ("-R" | "--repo", Some(repo)) if repo.literal().is_none_or(|text| text.split('/').count() != 2) => {
                judge.raise(EffectKind::Network, "a repository in three parts, or not known, can be on another host");
            }
            _ => {}
        }
    }
}

/// An operand that is an address.
fn addresses(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    elsewhere(judge, parsed);
    for word in &parsed.operands {
        let head = word.literal_prefix();
        let other = head.contains(':')
            && !["https://github.com/", "https://gitlab.com/"].iter().any(|own| head.starts_with(own));
        if other || (!head.contains(':') && head.split('/').count() == 3) {
            judge.raise(EffectKind::Network, "names a host");
        }
    }
}

const GLOBALS: Usage = Usage::safe("-R= --repo=", TEXT).rows(ROWS);

const fn asks(options: &'static str) -> Usage {
    Usage { reason: ASKS, ..Usage::safe(options, TEXT).rows(ROWS).check(elsewhere) }
}

const LIST: Usage = asks(
    "-R= -L= -s= -S= -a= -A= -l= -m= -q= -t= -B= -H= -d -b= -u= -e= -c= -o= -O= -j= -k= --repo= --limit= --state= --search= --assignee= --author= --label= --milestone= --mention= --json= --jq= --template= --base= --head= --draft --app= --branch= --user= --workflow= --event= --status= --commit= --created= --sort= --order= --all --language= --owner= --topic= --visibility= --source --fork --no-archived --archived --include-content --exclude-drafts --exclude-pre-releases --public --secret --key= --ref= --match= --filename= --extension= --merged --closed --updated= --involves= --reviewed-by= --review-requested= --checks= --review= --env=",
);
const VIEW: Usage = asks(
    "-R= -q= -t= -c -b= -y -r= -f= -j= -a= -v --repo= --json= --jq= --template= --comments --branch= --yaml --ref= --files --filename= --raw --job= --log --log-failed --exit-status --attempt= --verbose",
)
.check(addresses);
const DIFF: Usage = asks("-R= --repo= --color= --name-only --patch").check(addresses);
const CHECKS: Usage = asks(
    "-R= -i= --repo= --json= --jq= --template= -q= -t= --required --watch --fail-fast --interval= -b= --active --show-scope --conflict-status -c",
);
const API: Usage =
    asks("-i -H= -q= -t= -p= --include --paginate --slurp --jq= --template= --cache= --preview= --silent --verbose")
        .rows(&[
            HELP,
            changes("-X= --method=", "may be another method than GET", "gh-api(1)"),
            changes("-f= -F= --field= --raw-field=", "makes it a POST", "gh-api(1)"),
            row("--input=", Act::Has(SYSTEM), "makes it a POST", "gh-api(1)"),
            sends("--hostname=", "talks to another host", "gh-api(1)"),
        ])
        .check(|judge, parsed| {
            elsewhere(judge, parsed);
            for word in &parsed.operands {
                let literal = word.literal().unwrap_or_default();
                // A full address names a host; `graphql` is a POST.
                if literal.is_empty() || literal.contains("://") || literal.starts_with("graphql") {
                    judge.raise(EffectKind::Network, "its endpoint is an address, a query or not known");
                }
                if ["secrets", "token", "installation", "actions/variables"].iter().any(|part| literal.contains(part)) {
                    judge.secret("asks for secrets or tokens");
                }
            }
        });
const AUTH_STATUS: Usage = asks("-a --active").rows(&[
    HELP,
    sends("-h= --hostname=", "talks to another host", "gh(1)"),
    row("-t --show-token", Act::Secret, "shows the token", "gh-auth-status(1)"),
]);
const AUTH_TOKEN: Usage = asks("-h= -u= --hostname= --user=").check(|judge, _| judge.secret("prints the token"));
const DOWNLOAD: Usage =
    Usage::does(EffectKind::WritesFiles, "downloads files", "-R= -p= -n=", TEXT).check(|judge, _| {
        judge.access(AccessMode::Write, crate::effects::words::text_word("."), true);
    });

const GH: Tree = Tree {
    globals: &GLOBALS,
    subs: &[
        Sub::new(
            "pr list|issue list|run list|repo list|release list|workflow list|gist list|label list|search prs|search issues|search repos|search code|search commits|cache list|ruleset list|org list|project list|variable list|secret list|extension list|pr ls|issue ls|run ls|repo ls|release ls|alias list",
            LIST,
        ),
        Sub::new(
            "pr view|issue view|run view|repo view|release view|workflow view|gist view|ruleset view|project view|ruleset check",
            VIEW,
        ),
        Sub::new("pr diff", DIFF),
        Sub::new("pr checks|pr status|issue status|status|run watch", CHECKS),
        Sub::new("api", API),
        Sub::new("auth status", AUTH_STATUS),
        Sub::new("auth token", AUTH_TOKEN),
        Sub::new("version", GLOBALS),
        Sub::new("run download|release download|repo clone|gist clone", DOWNLOAD),
    ],
    other: (SYSTEM, "changes something at its service, or is an extension or alias"),
};

const GLAB: Tree = Tree {
    globals: &GLOBALS,
    subs: &[
        Sub::new("mr list|issue list|ci list|pipeline list|repo list|release list|label list", LIST),
        Sub::new("mr view|issue view|ci view|repo view|release view|ci status|ci get", VIEW),
        Sub::new("mr diff", DIFF),
    ],
    other: (SYSTEM, "changes something at its service, or is an extension or alias"),
};

/// In order of their names.
pub(super) const PROGRAMS: &[Entry] = &[("gh", Form::Tree(&GH)), ("glab", Form::Tree(&GLAB))];
