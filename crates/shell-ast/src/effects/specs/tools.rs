//! Package managers, compilers and interpreters where they only report.

use crate::effects::judge::Judge;
use crate::effects::spec::{Act, Entry, Form, HELP, Operands, Order, Row, Sub, Tree, Usage, changes, row, runs, sends};
use crate::effects::{AccessMode, EffectKind, Need};

const TEXT: Operands = Operands::Text;
const CODE: EffectKind = EffectKind::ExecutesCode;
const SYSTEM: EffectKind = EffectKind::ChangesSystem;
const CARGO_NEEDS: &[Need] = &[Need::TrustedCargoConfig];
const NPM_NEEDS: &[Need] = &[Need::TrustedNpmConfig];
const GO_NEEDS: &[Need] = &[Need::TrustedGoToolchain];

const CARGO_CONFIG: Row = runs("--config=", "can name programs to run", "cargo(1)");
const CARGO_GLOBALS: Usage =
    Usage::safe("-qvV --quiet --verbose --version --list --locked --offline --frozen --color=", TEXT)
        .rows(&[
            HELP,
            CARGO_CONFIG,
            row("-Z=", Act::Has(EffectKind::Unknown), "an unstable switch", "cargo(1)"),
            row("-C=", Act::Has(EffectKind::Unknown), "another project", "cargo(1)"),
        ])
        .needs(CARGO_NEEDS);
const CARGO_ROWS: &[Row] = &[
    HELP,
    CARGO_CONFIG,
    row(
        "--manifest-path= --lockfile-path=",
        Act::Has(EffectKind::Unknown),
        "another project, with its own configuration",
        "cargo(1)",
    ),
];
/// cargo's subcommands that only report.
const fn cargo(options: &'static str) -> Usage {
    Usage { reason: "reports on the project", ..Usage::safe(options, TEXT) }.rows(CARGO_ROWS).needs(CARGO_NEEDS)
}
const CARGO_METADATA: Usage = cargo(
    "-qv -F= --no-deps --format-version= --filter-platform= --features= --all-features --no-default-features --offline --locked --frozen --quiet --verbose --color=",
);
const CARGO_TREE: Usage = cargo(
    "-qvd -e= -i? -p= -F= --invert? --package= --workspace --exclude= --depth= --no-dedupe --duplicates --edges= --prune= --prefix= --charset= --format= -f= --features= --all-features --no-default-features --target= --offline --locked --frozen --quiet --verbose --color= --all --no-indent",
);
const CARGO_OTHER: Usage = cargo(
    "-qv --limit= --offline --locked --frozen --quiet --verbose --color= --workspace --json --depth= --exit-code= -R --root-deps-only -w --registry",
);
const CARGO_SEARCH: Usage = cargo("-qv --limit= --quiet --verbose --color=").rows(&[
    HELP,
    CARGO_CONFIG,
    sends("--index= --registry=", "asks another registry", "cargo-search(1)"),
]);
const CARGO: Tree = Tree {
    globals: &CARGO_GLOBALS,
    subs: &[
        Sub::new("metadata", CARGO_METADATA),
        Sub::new("tree", CARGO_TREE),
        Sub::new("search|info", CARGO_SEARCH),
        Sub::new("pkgid|locate-project|read-manifest|verify-project|version|outdated", CARGO_OTHER),
    ],
    other: (CODE, "builds or runs code of the project, or is another program"),
};
const RUSTUP_GLOBALS: Usage = Usage::safe("-vqV --verbose --quiet --version", TEXT).rows(&[HELP]);
const RUSTUP: Tree = Tree {
    globals: &RUSTUP_GLOBALS,
    subs: &[Sub::new(
        "show|show active-toolchain|show home|toolchain list|target list|component list|which",
        Usage::safe("-v --verbose --installed --toolchain= --quiet", TEXT).rows(&[HELP]),
    )],
    other: (SYSTEM, "changes toolchains"),
};

const NPM_GLOBALS: Usage = Usage::safe(
    "-v -s --version --silent --json --long --loglevel= --no-color --color --no-fund --no-audit --no-update-notifier",
    TEXT,
)
.rows(&[HELP])
.needs(NPM_NEEDS);
const NPM_ROWS: &[Row] = &[
    HELP,
    sends("--registry=", "asks another registry", "npm(1)"),
    row(
        "-C= --prefix= --dir= --cwd= --userconfig= --globalconfig=",
        Act::Has(EffectKind::Unknown),
        "another project or configuration",
        "npm(1)",
    ),
    runs("--node-options= --script-shell= --viewer= --browser?", "names what runs", "npm-config(7)"),
];
const fn npm(options: &'static str) -> Usage {
    Usage { reason: "reports on packages", ..Usage::safe(options, TEXT) }.rows(NPM_ROWS).needs(NPM_NEEDS)
}
const NPM_LIST: Usage = npm(
    "-aglpDPrs --all --json --long --parseable --depth= --global --omit= --include= --link --unicode --package-lock-only --workspaces --workspace= -w= --include-workspace-root --prod --production --dev --only= --silent --no-color --color --loglevel= --pattern= --recursive --filter= -F= --only-projects --compatible --format= --no-table --no-optional --table",
);
const NPM_CONFIG: Usage = npm("-gl --json --long --global --location=").check(|judge, parsed| {
    let listing = parsed.operands.is_empty();
    let sensitive = parsed.operands.iter().any(|word| {
        word.literal().is_none_or(|key| ["auth", "token", "password", "_"].iter().any(|part| key.contains(part)))
    });
    if listing || sensitive {
        judge.secret("npm's configuration can hold tokens");
    }
});
const NPM_TREE: Tree = Tree {
    globals: &NPM_GLOBALS,
    subs: &[
        Sub::new(
            "ls|list|ll|la|outdated|why|explain|root|prefix|bin|view|info|show|v|search|help|pkg get|query|fund|licenses list|licenses ls|workspaces list|workspaces info|npm info|pm ls|pm bin|pm cache",
            NPM_LIST,
        ),
        Sub::new("config get|config list|config ls|get", NPM_CONFIG),
        Sub::new(
            "version",
            NPM_LIST.check(|judge, parsed| {
                if !parsed.operands.is_empty() {
                    judge.raise(SYSTEM, "changes the version and makes a commit");
                }
            }),
        ),
    ],
    other: (CODE, "installs packages or runs scripts of the project"),
};

// pnpm, yarn and bun run a script of the project for a subcommand that they lack, and their versions differ in what they
// have: only subcommands of every version are here.
const PNPM_TREE: Tree = Tree {
    subs: &[
        Sub::new("ls|list|ll|la|outdated|why|root|bin|licenses list|licenses ls|view|info|show", NPM_LIST),
        Sub::new("config get|config list", NPM_CONFIG),
    ],
    ..NPM_TREE
};
const YARN_TREE: Tree = Tree {
    subs: &[
        Sub::new("why|info|workspaces list|workspaces info", NPM_LIST),
        Sub::new("config get|config list", NPM_CONFIG),
    ],
    ..NPM_TREE
};
const BUN_TREE: Tree = Tree { subs: &[Sub::new("pm ls|pm bin|pm cache", NPM_LIST)], ..NPM_TREE };

const PIP_GLOBALS: Usage = Usage::safe(
    "-qvV --version --quiet --verbose --disable-pip-version-check --no-color --no-input --no-cache-dir",
    TEXT,
)
.rows(&[HELP]);
const PIP_READ: Usage = Usage { reason: "reports on packages", ..Usage::safe(
    "-loufqvV -e --local --outdated --uptodate --editable --user --format= --not-required --exclude= --all --files --verbose --quiet --exclude-editable --pre --include-editable --strict --no-header --disable-pip-version-check --show-version-specifiers --depth= --no-dedupe --invert --no-color --system",
    TEXT,
) }
.rows(&[
    HELP,
    sends("-i= --index-url= --extra-index-url= --find-links= --trusted-host= --proxy= --cert=", "asks another index", "pip documentation"),
    runs("--python= -p=", "runs another interpreter", "pip documentation"),
    row("--path= -r= --requirement=", Act::Path(AccessMode::Read), "looks there", "pip documentation"),
]);
const PIP_TREE: Tree = Tree {
    globals: &PIP_GLOBALS,
    subs: &[Sub::new(
        "list|show|freeze|check|help|pip list|pip show|pip freeze|pip check|pip tree|inspect|cache dir|cache list|python list|tool list",
        PIP_READ,
    )],
    other: (CODE, "installs packages or runs code"),
};
const POETRY_GLOBALS: Usage =
    Usage::safe("-qnvV --version --quiet --no-interaction --no-ansi --ansi", TEXT).rows(&[HELP]);
const POETRY: Tree = Tree {
    globals: &POETRY_GLOBALS,
    subs: &[Sub::new(
        "show|about|env list",
        Usage::safe("-tlaoT --tree --latest --all --outdated --only= --with= --without= --top-level --no-ansi", TEXT)
            .rows(&[HELP]),
    )],
    other: (CODE, "installs packages or runs code"),
};

const GO_ENV: Usage = Usage::safe("-json -changed", TEXT)
    .order(Order::SingleDash)
    .needs(GO_NEEDS)
    .rows(&[changes("-w -u", "changes go's environment", "go help env"), HELP]);
const GO_VERSION: Usage =
    Usage::safe("-m -v -json", Operands::Files(AccessMode::Read)).order(Order::SingleDash).needs(GO_NEEDS);
const GO_GLOBALS: Usage = Usage::safe("", TEXT).order(Order::SingleDash).rows(&[
    row("-h -help", Act::Stops, "prints its help", "go help"),
    row("-C=", Act::Has(EffectKind::Unknown), "another project", "go help"),
]);
const GO: Tree = Tree {
    globals: &GO_GLOBALS,
    subs: &[Sub::new("env", GO_ENV), Sub::new("version", GO_VERSION), Sub::new("help", GO_VERSION)],
    other: (CODE, "builds or runs code, or can run what the project names"),
};

/// Interpreters and compilers: only their version or help is read-only.
const VERSION_ONLY: &[&str] = &["--version", "-V", "-version", "--help", "-h", "-VV", "-v"];

fn reports(judge: &mut Judge<'_>, allowed: &[&str]) {
    let asks = judge.words.len() == 1
        && judge
            .words
            .first()
            .and_then(crate::analysis::Word::literal)
            .is_some_and(|option| allowed.contains(&&*option));
    if asks {
        judge.raise(EffectKind::ReadOnly, "prints its version or help");
    } else {
        judge.raise(CODE, "runs or builds code");
    }
}

fn interpreter(judge: &mut Judge<'_>) {
    // `python -c`, `node file`, and an interactive one that reads its input.
    edits(judge);
    reports(judge, VERSION_ONLY);
}

fn rust_tool(judge: &mut Judge<'_>) {
    reports(judge, &["--version", "-V", "-vV", "-Vv", "--help", "-h"]);
    judge.need(Need::TrustedCargoConfig);
}

/// `yarn` alone installs.
fn yarn(judge: &mut Judge<'_>) {
    let version =
        judge.words.iter().any(|word| matches!(word.literal().as_deref(), Some("--version" | "-v" | "--help")));
    if !version && judge.words.iter().all(|word| word.literal_prefix().starts_with('-')) {
        judge.raise(CODE, "without a subcommand it installs packages, which runs their scripts");
    } else {
        judge.tree(&YARN_TREE);
    }
}

fn project_tool(judge: &mut Judge<'_>) {
    reports(judge, &["--version", "-version", "--help"]);
}

/// `perl -i`, `ruby -i`: the operands are written; every interpreter's file operand is read.
fn edits(judge: &mut Judge<'_>) {
    let in_place = judge.words.iter().any(|word| {
        let head = word.literal_prefix();
        head.starts_with('-') && !head.starts_with("--") && head.contains('i') && !head.contains('I') && head.len() < 8
    });
    let mode = if in_place { AccessMode::Write } else { AccessMode::Read };
    let mut skip = false;
    for word in judge.words {
        let head = word.literal_prefix();
        if skip || head.starts_with('-') {
            // The text of `-e`, `-c` is code, no file.
            skip = !skip && head.len() < 8 && head.ends_with(['e', 'c', 'E', 'm', 'p']) && !head.starts_with("--");
            continue;
        }
        if crate::effects::words::is_known(word) {
            judge.access(mode, word.clone(), false);
            if !in_place {
                return;
            }
        }
    }
}

/// In order of their names.
pub(super) const PROGRAMS: &[Entry] = &[
    ("bun", Form::Tree(&BUN_TREE)),
    ("bundle", Form::Special(project_tool)),
    ("cargo", Form::Tree(&CARGO)),
    ("clang", Form::Special(project_tool)),
    ("cmake", Form::Special(project_tool)),
    ("composer", Form::Special(project_tool)),
    ("deno", Form::Special(interpreter)),
    ("dotnet", Form::Special(project_tool)),
    ("elixir", Form::Special(interpreter)),
    ("gcc", Form::Special(project_tool)),
    ("gem", Form::Special(project_tool)),
    ("ghc", Form::Special(project_tool)),
    ("go", Form::Tree(&GO)),
    ("gradle", Form::Special(project_tool)),
    ("java", Form::Special(project_tool)),
    ("javac", Form::Special(project_tool)),
    ("julia", Form::Special(interpreter)),
    ("lua", Form::Special(interpreter)),
    ("make", Form::Special(project_tool)),
    ("mvn", Form::Special(project_tool)),
    ("node", Form::Special(interpreter)),
    ("npm", Form::Tree(&NPM_TREE)),
    ("perl", Form::Special(interpreter)),
    ("php", Form::Special(interpreter)),
    ("pip", Form::Tree(&PIP_TREE)),
    ("pip3", Form::Tree(&PIP_TREE)),
    ("pnpm", Form::Tree(&PNPM_TREE)),
    ("poetry", Form::Tree(&POETRY)),
    ("python", Form::Special(interpreter)),
    ("python2", Form::Special(interpreter)),
    ("python3", Form::Special(interpreter)),
    ("ruby", Form::Special(interpreter)),
    ("rustc", Form::Special(rust_tool)),
    ("rustfmt", Form::Special(rust_tool)),
    ("rustup", Form::Tree(&RUSTUP)),
    ("swift", Form::Special(project_tool)),
    ("tsc", Form::Special(project_tool)),
    ("uv", Form::Tree(&PIP_TREE)),
    ("yarn", Form::Special(yarn)),
    ("zig", Form::Special(project_tool)),
];
