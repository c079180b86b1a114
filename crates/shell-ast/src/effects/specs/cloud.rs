//! Containers, clusters and clouds: queries to the configured service.

use crate::effects::judge::Judge;
use crate::effects::spec::{
    Act, Entry, Form, HELP, Operands, Order, Row, Sub, Tree, Usage, reads, row, runs, sends,
};
use crate::effects::words::is_known;
use crate::effects::{AccessMode, EffectKind, Need};

const TEXT: Operands = Operands::Text;
const SYSTEM: EffectKind = EffectKind::ChangesSystem;
const CODE: EffectKind = EffectKind::ExecutesCode;

const fn asks(options: &'static str, rows: &'static [Row]) -> Usage {
    Usage {
        reason: "asks its own service",
        ..Usage::safe(options, TEXT)
    }
    .rows(rows)
}

const DOCKER_ROWS: &[Row] = &[
    HELP,
    sends(
        "-H= --host= -c= --context=",
        "talks to another daemon",
        "docker(1)",
    ),
    row(
        "--config= --tlscacert= --tlscert= --tlskey=",
        Act::Has(EffectKind::Unknown),
        "takes its settings from another place",
        "docker(1)",
    ),
];
const DOCKER_GLOBALS: Usage = asks("-v --version --debug -l= --log-level=", DOCKER_ROWS);
const DOCKER_LIST: Usage = asks(
    "-aqls -n= -f= --all --quiet --latest --size --filter= --format= --last= --no-trunc --digests --tree --no-stream --services --status= --type= --orphans",
    &[HELP],
);
const DOCKER_READ: Usage = asks(
    "-aqs -f= -n= --all --quiet --size --format= --type= --no-trunc --no-stream --human --filter= --since= --until= --verbose --no-interpolate --services --volumes --images --profiles --hash= --json",
    &[HELP],
);
const DOCKER_LOGS: Usage = asks(
    "-ft -n= --follow --timestamps --tail= --since= --until= --details --no-color --no-log-prefix --index=",
    &[HELP],
);
const COMPOSE_ROWS: &[Row] = &[
    HELP,
    reads("-f= --file= --env-file="),
    row(
        "--project-directory=",
        Act::Path(AccessMode::Inspect),
        "works there",
        "docker-compose(1)",
    ),
];
const DOCKER: Tree = Tree {
    globals: &DOCKER_GLOBALS,
    subs: &[
        Sub::new(
            "ps|images|container ls|container list|container ps|image ls|image list|volume ls|volume list|network ls|network list|context ls|plugin ls|node ls|service ls|stack ls|service ps|node ps|stack ps|stack services|builder ls|buildx ls|compose ls|compose images",
            DOCKER_LIST,
        ),
        Sub::new(
            "compose ps|compose top|compose version|compose port",
            Usage {
                rows: COMPOSE_ROWS,
                ..DOCKER_READ
            },
        ),
        Sub::new(
            "version|info|stats|top|port|history|image history|diff|system df|system info|container top|container port|container diff|container stats|search|events",
            DOCKER_READ,
        ),
        Sub::new(
            "inspect|container inspect|image inspect|volume inspect|network inspect|service inspect|node inspect",
            DOCKER_READ,
        ),
        Sub::new("logs|container logs|service logs|compose logs", DOCKER_LOGS),
        Sub::new(
            "run|exec|container run|container exec|build|image build|buildx build|compose run|compose exec|compose up|compose build",
            Usage::does(CODE, "runs code in a container", "", TEXT),
        ),
    ],
    other: (SYSTEM, "changes containers, images or networks"),
};

const KUBE_ROWS: &[Row] = &[
    HELP,
    sends(
        "-s= --server= --insecure-skip-tls-verify? --tls-server-name= --certificate-authority= --proxy-url=",
        "talks to another server",
        "kubectl(1)",
    ),
    row(
        "--kubeconfig=",
        Act::Has(EffectKind::Unknown),
        "its file can name a program to run",
        "kubectl(1)",
    ),
    row(
        "--token= --as= --as-group= --username= --password= --client-key= --client-certificate=",
        Act::Has(EffectKind::Unknown),
        "other credentials",
        "kubectl(1)",
    ),
    row(
        "--raw=",
        Act::Has(EffectKind::Unknown),
        "any request",
        "kubectl(1)",
    ),
    reads("-f= --filename= -k= --kustomize="),
];
const KUBE_OPTIONS: &str = "-n= -A -l= -o= -w -L= -c= -p -R -v= --namespace= --all-namespaces --selector= --output= --watch --watch-only? --field-selector= --sort-by= --show-labels --label-columns= --no-headers --context= --cluster= --user= --request-timeout= --chunk-size= --ignore-not-found --show-kind --show-managed-fields --allow-missing-template-keys --container= --previous --tail= --since= --since-time= --timestamps --all-containers --prefix --limit-bytes= --max-log-requests= --ignore-errors --client --short --containers --use-protocol-buffers --api-group= --namespaced? --verbs= --cached --recursive --api-version= --show-events? --server-print? --subresource= --all --list --no-color --color --quiet -q --types= --for= --revision= --timeout=";
const KUBE_GLOBALS: Usage = asks(KUBE_OPTIONS, KUBE_ROWS);
const KUBE_LOGS: Usage = Usage {
    options: KUBE_LOGS_OPTIONS,
    ..asks("", KUBE_LOGS_ROWS)
};
const KUBE_LOGS_OPTIONS: &str = "-n= -l= -c= -p -f --namespace= --selector= --container= --previous --follow --tail= --since= --since-time= --timestamps --all-containers --prefix --limit-bytes= --max-log-requests= --ignore-errors --context= --cluster= --request-timeout=";
const KUBE_LOGS_ROWS: &[Row] = &[
    HELP,
    sends(
        "-s= --server= --insecure-skip-tls-verify? --insecure-skip-tls-verify-backend",
        "talks to another server",
        "kubectl(1)",
    ),
    row(
        "--kubeconfig= --token= --as=",
        Act::Has(EffectKind::Unknown),
        "other settings",
        "kubectl(1)",
    ),
];
/// `kubectl get secrets -o yaml` prints them.
const KUBE_GET: Usage = KUBE_GLOBALS.check(|judge, parsed| {
    for word in &parsed.operands {
        match word.literal() {
            Some(text) if text.to_ascii_lowercase().contains("secret") => {
                judge.secret("prints secrets of the cluster")
            }
            Some(_) => {}
            None if is_known(word) => {}
            None => judge.raise(
                EffectKind::Unknown,
                format!("what `{}` names is not known", word.raw),
            ),
        }
    }
    if parsed.has(&["-f", "--filename", "-k", "--kustomize"]) {
        judge.raise(
            EffectKind::Unknown,
            "a file or an address names what is asked for",
        );
    }
});
const KUBE_CONFIG: Usage = asks(
    "-o= --minify --flatten --output= --no-headers --context=",
    &[
        HELP,
        row(
            "--raw",
            Act::Secret,
            "shows certificates and tokens",
            "kubectl(1)",
        ),
        row(
            "--kubeconfig=",
            Act::Has(EffectKind::Unknown),
            "another file",
            "kubectl(1)",
        ),
    ],
);
const KUBECTL: Tree = Tree {
    globals: &KUBE_GLOBALS,
    subs: &[
        Sub::new("get|describe", KUBE_GET),
        Sub::new("logs", KUBE_LOGS),
        Sub::new(
            "version|api-resources|api-versions|cluster-info|top pod|top pods|top node|top nodes|explain|events|rollout status|rollout history|auth can-i|auth whoami",
            KUBE_GLOBALS,
        ),
        Sub::new(
            "config view|config current-context|config get-contexts|config get-clusters|config get-users",
            KUBE_CONFIG,
        ),
        Sub::new(
            "exec|run|debug|cp|attach|port-forward|proxy",
            Usage::does(
                CODE,
                "runs code in the cluster or opens a way to it",
                "",
                TEXT,
            ),
        ),
    ],
    other: (SYSTEM, "changes the cluster, or is a plugin"),
};

const HELM_ROWS: &[Row] = &[
    HELP,
    row(
        "--kubeconfig= --kube-apiserver= --kube-token= --kube-ca-file= --repository-config= --registry-config=",
        Act::Has(EffectKind::Unknown),
        "other settings",
        "helm help",
    ),
    runs("--post-renderer=", "runs a program", "helm help"),
];
const HELM_GLOBALS: Usage = asks(
    "-n= -Aad -f= -o= -q -m= -r -l= --namespace= --all-namespaces --all --output= --short --max= --revision= --kube-context= --debug --deployed --failed --pending --filter= --reverse --date --selector= --versions --version= --devel --show-desc --show-resources",
    HELM_ROWS,
);
const HELM: Tree = Tree {
    globals: &HELM_GLOBALS,
    subs: &[
        Sub::new(
            "list|ls|status|history|version|env|repo list|search repo|search hub|get notes|get manifest|get hooks|get metadata|dependency list|plugin list",
            HELM_GLOBALS,
        ),
        Sub::new(
            "get values|get all",
            HELM_GLOBALS.check(|judge, _| judge.secret("values of a release can hold secrets")),
        ),
    ],
    other: (SYSTEM, "changes releases, or is a plugin"),
};

const TF_NEEDS: &[Need] = &[Need::TrustedTerraformProviders];
const TF_GLOBALS: Usage = asks(
    "-version -v --version",
    &[
        row(
            "-help -h --help",
            Act::Stops,
            "prints its help",
            "terraform -help",
        ),
        row(
            "-chdir=",
            Act::Has(EffectKind::Unknown),
            "another project",
            "terraform -help",
        ),
    ],
)
.order(Order::SingleDash);
const TF_READ: Usage = Usage {
    operands: Operands::Files(AccessMode::Read),
    ..asks(
        "-json -no-color -compact-warnings -id=",
        &[
            row(
                "-state=",
                Act::Path(AccessMode::Read),
                "reads the named state",
                "terraform",
            ),
            row(
                "-show-sensitive",
                Act::Secret,
                "shows secrets",
                "terraform show",
            ),
        ],
    )
}
.order(Order::SingleDash)
.needs(TF_NEEDS);
const TF_LIST: Usage = Usage {
    operands: TEXT,
    ..TF_READ
};
/// `terraform output -raw password` prints what the plain form hides.
const TF_OUTPUT: Usage = Usage {
    operands: TEXT,
    ..asks(
        "-no-color",
        &[
            row(
                "-json -raw",
                Act::Secret,
                "shows values that are marked as secret",
                "terraform output",
            ),
            row(
                "-state=",
                Act::Path(AccessMode::Read),
                "reads the named state",
                "terraform output",
            ),
        ],
    )
}
.order(Order::SingleDash)
.needs(TF_NEEDS);
const TERRAFORM: Tree = Tree {
    globals: &TF_GLOBALS,
    subs: &[
        Sub::new("show", TF_READ),
        Sub::new(
            "version|state list|state show|providers|workspace list|workspace show|validate|graph|metadata functions",
            TF_LIST,
        ),
        Sub::new("output", TF_OUTPUT),
        Sub::new(
            "plan|apply|destroy|import|refresh|init|get|test|console|providers lock|providers mirror",
            Usage::does(
                CODE,
                "runs providers and changes or plans the infrastructure",
                "",
                TEXT,
            ),
        ),
    ],
    other: (SYSTEM, "changes state or files of the project"),
};

/// Operations of aws that show secrets although they only read (AWS CLI reference).
const AWS_SECRETS: &[&str] = &[
    "secretsmanager get-secret-value",
    "secretsmanager batch-get-secret-value",
    "ssm get-parameter",
    "ssm get-parameters",
    "ssm get-parameters-by-path",
    "ssm get-parameter-history",
    "sts get-session-token",
    "sts get-federation-token",
    "sts get-web-identity-token",
    "ecr get-login-password",
    "ecr get-authorization-token",
    "ecr-public get-login-password",
    "ecr-public get-authorization-token",
    "ec2 get-password-data",
    "ec2 get-console-output",
    "codeartifact get-authorization-token",
    "eks get-token",
    "lambda get-function",
    "lambda get-function-configuration",
    "cognito-identity get-credentials-for-identity",
    "cognito-identity get-open-id-token",
    "sso get-role-credentials",
    "iam get-access-key-last-used",
    "kms get-parameters-for-import",
    "apigateway get-api-keys",
    "apigateway get-api-key",
    "lightsail get-instance-access-details",
    "redshift get-cluster-credentials",
    "redshift get-cluster-credentials-with-iam",
    "ec2 describe-instance-attribute",
    "ec2 get-launch-template-data",
    "ec2 describe-launch-template-versions",
    "amplify get-app",
    "connect get-federation-token",
];
/// Options of aws that send the request elsewhere or write.
const AWS_OPTIONS: &[(&str, EffectKind, &str)] = &[
    (
        "--endpoint-url",
        EffectKind::Network,
        "talks to another host",
    ),
    (
        "--no-verify-ssl",
        EffectKind::Network,
        "does not check certificates",
    ),
    (
        "--ca-bundle",
        EffectKind::Network,
        "checks certificates by another list",
    ),
    (
        "--cli-input-json",
        EffectKind::Unknown,
        "takes its request from elsewhere",
    ),
    (
        "--cli-input-yaml",
        EffectKind::Unknown,
        "takes its request from elsewhere",
    ),
];
const AWS_KNOWN: &[&str] = &[
    "--region",
    "--profile",
    "--output",
    "--query",
    "--no-cli-pager",
    "--no-paginate",
    "--max-items",
    "--page-size",
    "--starting-token",
    "--color",
    "--cli-read-timeout",
    "--cli-connect-timeout",
    "--debug",
    "--filters",
    "--filter",
    "--max-results",
    "--next-token",
    "--limit",
];

/// Words of aws: `aws [options] service operation [options]`.
fn aws(judge: &mut Judge<'_>) {
    judge.raise(EffectKind::ReadOnly, "asks its own service");
    let mut positional = Vec::new();
    let mut words = judge.words.iter();
    while let Some(word) = words.next() {
        let Some(text) = word.literal() else {
            let named = word.literal_prefix().contains('=');
            if positional.len() < 2 || crate::effects::words::Shape::of(word).splits || !named {
                judge.raise(
                    EffectKind::Unknown,
                    format!("what `{}` names is not known", word.raw),
                );
            }
            continue;
        };
        let (name, attached) = text
            .split_once('=')
            .map_or((&*text, false), |(name, _)| (name, true));
        if !name.starts_with("--") {
            if text.starts_with('-')
                || text.starts_with("file")
                || (text.contains("://") && !text.starts_with("s3://"))
            {
                judge.raise(
                    EffectKind::Unknown,
                    format!("`{}` is a file, an address or not in its table", word.raw),
                );
            }
            positional.push(text);
            continue;
        }
        if name == "--version" && judge.words.len() == 1 {
            return;
        }
        if let Some((_, kind, reason)) = AWS_OPTIONS
            .iter()
            .find(|(known, _, _)| name.len() > 3 && known.starts_with(name))
        {
            judge.raise(*kind, format!("`{name}`: {reason}"));
        } else if !AWS_KNOWN.contains(&name) && !aws_selector(name) {
            judge.raise(
                EffectKind::Unknown,
                format!("option `{name}` is not in its table"),
            );
        }
        if !attached
            && positional.len() < 2
            && !matches!(name, "--debug" | "--no-cli-pager" | "--no-paginate")
        {
            words.next();
        }
    }
    let service = positional.first().map_or("", String::as_str);
    let operation = positional.get(1).map_or("", String::as_str);
    let full = format!("{service} {operation}");
    match service {
        "s3" if operation == "ls" => {}
        "s3" => judge.raise(EffectKind::Network, "copies or changes objects"),
        "sts" if operation == "get-caller-identity" => {}
        "configure" if operation == "list" || operation == "list-profiles" => {}
        _ if AWS_SECRETS.contains(&full.as_str()) => judge.secret("shows secrets or credentials"),
        // `s3api get-object` writes a file, `get-…` of some services start something: their names are here.
        "s3api" if operation == "get-object" || operation == "get-object-torrent" => {
            judge.raise(EffectKind::WritesFiles, "writes what it gets to a file");
        }
        "glacier"
        | "polly"
        | "mediastore-data"
        | "sagemaker-runtime"
        | "bedrock-runtime"
        | "lambda"
        | "lex-runtime"
        | "iot-data"
        | "kinesis-video-media"
        | "workmailmessageflow"
        | "ebs"
        | "codeartifact"
        | "apigateway"
            if operation.starts_with("get-") =>
        {
            judge.raise(EffectKind::Unknown, "may write what it gets to a file");
        }
        _ if ["describe-", "list-", "get-"]
            .iter()
            .any(|verb| operation.starts_with(verb))
            && !service.is_empty() => {}
        _ => judge.raise(SYSTEM, "is no `describe-`, `list-` or `get-` operation"),
    }
}

/// Options that choose what is described: names, ids, arns.
fn aws_selector(name: &str) -> bool {
    const ENDS: &[&str] = &[
        "-id",
        "-ids",
        "-name",
        "-names",
        "-arn",
        "-arns",
        "-type",
        "-types",
        "-prefix",
        "-status",
        "-state",
        "-pattern",
        "-time",
        "-date",
        "-namespace",
        "-owner",
        "-owners",
        "-zone",
        "-group",
        "-groups",
        "-scope",
        "-identifier",
        "-family",
        "-version",
        "-items",
        "-results",
        "-size",
        "-bucket",
        "-cluster",
        "-services",
        "-tasks",
        "-service",
        "-metrics",
        "-statistics",
        "-period",
        "-granularity",
        "-dimensions",
        "-instances",
    ];
    const EXACT: &[&str] = &[
        "--bucket",
        "--prefix",
        "--delimiter",
        "--key",
        "--name",
        "--names",
        "--owners",
        "--cluster",
        "--clusters",
        "--services",
        "--tasks",
        "--service",
        "--namespace",
        "--period",
        "--statistics",
        "--dimensions",
        "--resource",
        "--scope",
        "--include",
        "--no-include-deleted",
        "--path-prefix",
        "--human-readable",
        "--recursive",
        "--summarize",
        "--all",
        "--metrics",
        "--granularity",
        "--time-period",
        "--group-by",
        "--status",
        "--state",
        "--executable-users",
        "--include-all-instances",
        "--descending",
        "--no-descending",
    ];
    EXACT.contains(&name) || ENDS.iter().any(|end| name.ends_with(end))
}

/// Command groups of gcloud and az that lead to a verb.
const GROUPS: &[&str] = &[
    "account",
    "acr",
    "addresses",
    "aks",
    "app",
    "appservice",
    "artifacts",
    "backend-services",
    "backends",
    "bigtable",
    "buckets",
    "builds",
    "cdn",
    "clusters",
    "compute",
    "container",
    "cosmosdb",
    "databases",
    "deployment",
    "deployments",
    "disks",
    "dns",
    "docker",
    "firewall-rules",
    "forwarding-rules",
    "functionapp",
    "functions",
    "group",
    "groups",
    "health-checks",
    "image",
    "images",
    "instance-groups",
    "instance-templates",
    "instances",
    "jobs",
    "keyvault",
    "lb",
    "locations",
    "logging",
    "logs",
    "machine-types",
    "managed",
    "managed-zones",
    "monitor",
    "network",
    "networks",
    "nic",
    "node-pools",
    "nodepool",
    "nsg",
    "objects",
    "packages",
    "plan",
    "postgres",
    "projects",
    "public-ip",
    "pubsub",
    "record-sets",
    "redis",
    "regions",
    "repositories",
    "repository",
    "resource",
    "revisions",
    "routes",
    "run",
    "server",
    "services",
    "snapshot",
    "snapshots",
    "sql",
    "ssl-certificates",
    "storage",
    "subnet",
    "subnets",
    "subscriptions",
    "tag",
    "topics",
    "url-maps",
    "versions",
    "vm",
    "vmss",
    "vnet",
    "webapp",
    "workflows",
    "zones",
];

/// `gcloud … list`, `az … show`: the verb is the last positional before options, or the one before a name.
fn verbs(judge: &mut Judge<'_>) {
    const READ: &[&str] = &[
        "list",
        "describe",
        "show",
        "list-locations",
        "get-iam-policy",
        "version",
        "info",
    ];
    const DANGER: &[&str] = &[
        "--impersonate-service-account",
        "--access-token-file",
        "--flags-file",
        "--configuration",
        "--account",
        "--log-http",
        "--subscription-file",
        "--file",
        "--query-file",
    ];
    const KNOWN: &[&str] = &[
        "--project",
        "--format",
        "--filter",
        "--limit",
        "--sort-by",
        "--page-size",
        "--uri",
        "--region",
        "--zone",
        "--zones",
        "--regions",
        "--quiet",
        "-q",
        "--output",
        "-o",
        "--query",
        "--resource-group",
        "-g",
        "--name",
        "-n",
        "--subscription",
        "--location",
        "-l",
        "--verbosity",
        "--flatten",
        "--organization",
        "--folder",
        "--global",
        "--all",
        "--only-show-errors",
        "--cluster",
        "--instance",
    ];
    judge.raise(EffectKind::ReadOnly, "asks its own service");
    let mut path = Vec::new();
    let mut skip = false;
    for word in judge.words {
        let Some(text) = word.literal() else {
            if !skip {
                judge.raise(
                    EffectKind::Unknown,
                    format!("what `{}` names is not known", word.raw),
                );
            }
            skip = false;
            continue;
        };
        if std::mem::take(&mut skip) {
            continue;
        }
        if text == "--version" && judge.words.len() == 1 {
            return;
        }
        if text.starts_with('-') {
            let name = text.split_once('=').map_or(&*text, |(name, _)| name);
            if DANGER.contains(&name) || !KNOWN.contains(&name) {
                judge.raise(
                    EffectKind::Unknown,
                    format!("option `{name}` is not in its table"),
                );
            }
            skip = !text.contains('=')
                && !matches!(
                    name,
                    "--quiet" | "-q" | "--uri" | "--global" | "--all" | "--only-show-errors"
                );
        } else {
            path.push(text);
        }
    }
    // Groups, then the verb, then at most one name: a resource may be called `list`.
    let verb = path.iter().position(|word| !GROUPS.contains(&&**word));
    let fits = verb.is_some_and(|at| {
        let after = path.len().saturating_sub(at).saturating_sub(1);
        path.get(at).is_some_and(|word| READ.contains(&&**word)) && after <= 1
    });
    if !fits {
        judge.raise(
            SYSTEM,
            "is no `list`, `describe` or `show` command of a group in its table",
        );
    }
    if path.iter().any(|word| {
        [
            "secret",
            "key",
            "token",
            "credential",
            "auth",
            "password",
            "connection-string",
        ]
        .iter()
        .any(|part| word.contains(part))
    }) {
        judge.secret("shows secrets or credentials");
    }
}

/// In order of their names.
pub(super) const PROGRAMS: &[Entry] = &[
    ("aws", Form::Special(aws)),
    ("az", Form::Special(verbs)),
    ("docker", Form::Tree(&DOCKER)),
    ("gcloud", Form::Special(verbs)),
    ("helm", Form::Tree(&HELM)),
    ("kubectl", Form::Tree(&KUBECTL)),
    ("podman", Form::Tree(&DOCKER)),
    ("terraform", Form::Tree(&TERRAFORM)),
    ("tofu", Form::Tree(&TERRAFORM)),
];
