//! Containers, clusters and clouds: queries to the configured service.

use super::{aws, verbs};
use crate::effects::judge::Judge;
use crate::effects::options::Parsed;
use crate::effects::spec::{Act, Entry, Form, HELP, Operands, Order, Row, Sub, Tree, Usage, reads, row, runs, sends};
use crate::effects::words::{Shape, is_known};
use crate::effects::{AccessMode, EffectKind, Need};

const TEXT: Operands = Operands::Text;
const SYSTEM: EffectKind = EffectKind::ChangesSystem;
const CODE: EffectKind = EffectKind::ExecutesCode;

const fn asks(options: &'static str, rows: &'static [Row]) -> Usage {
    Usage { reason: "asks its own service", ..Usage::safe(options, TEXT) }.rows(rows)
}

const DOCKER_ROWS: &[Row] = &[
    HELP,
    sends("-H= --host= -c= --context=", "talks to another daemon", "docker(1)"),
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
/// What follows the container are options of ps, of which `e` shows environments.
const DOCKER_TOP: Usage = DOCKER_READ.check(|judge, parsed| {
    if parsed.operands.len() > 1 {
        judge.raise(EffectKind::Unknown, "its further words are options of ps");
    }
});
const DOCKER_LOGS: Usage = asks(
    "-ft -n= --follow --timestamps --tail= --since= --until= --details --no-color --no-log-prefix --index=",
    &[HELP],
);
const COMPOSE_ROWS: &[Row] = &[
    HELP,
    reads("-f= --file= --env-file="),
    row("--project-directory=", Act::Path(AccessMode::Inspect), "works there", "docker-compose(1)"),
];
const DOCKER: Tree = Tree {
    globals: &DOCKER_GLOBALS,
    subs: &[
        Sub::new(
            "ps|images|container ls|container list|container ps|image ls|image list|volume ls|volume list|network ls|network list|context ls|plugin ls|node ls|service ls|stack ls|service ps|node ps|stack ps|stack services|builder ls|buildx ls|compose ls|compose images",
            DOCKER_LIST,
        ),
        Sub::new("compose ps|compose top|compose version|compose port", Usage { rows: COMPOSE_ROWS, ..DOCKER_READ }),
        Sub::new("top|container top", DOCKER_TOP),
        Sub::new(
            "version|info|stats|port|history|image history|diff|system df|system info|container port|container diff|container stats|search|events",
            DOCKER_READ,
        ),
        Sub::new(
            "inspect|container inspect|image inspect|volume inspect|network inspect|service inspect|node inspect",
            DOCKER_READ.check(|judge, parsed| {
                if parsed.value(&["-f", "--format"]).is_some_and(|value| value.raw.contains(".Env")) {
                    judge.secret("shows the environment of a container");
                }
            }),
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
    row("--kubeconfig=", Act::Has(EffectKind::Unknown), "its file can name a program to run", "kubectl(1)"),
    row(
        "--token= --as= --as-group= --username= --password= --client-key= --client-certificate=",
        Act::Has(EffectKind::Unknown),
        "other credentials",
        "kubectl(1)",
    ),
    row("--raw=", Act::Has(EffectKind::Unknown), "any request", "kubectl(1)"),
    reads("-f= --filename= -k= --kustomize="),
];
const KUBE_OPTIONS: &str = "-n= -A -l= -o= -w -L= -c= -p -R -v= --namespace= --all-namespaces --selector= --output= --watch --watch-only? --field-selector= --sort-by= --show-labels --label-columns= --no-headers --context= --cluster= --user= --request-timeout= --chunk-size= --ignore-not-found --show-kind --show-managed-fields --allow-missing-template-keys --container= --previous --tail= --since= --since-time= --timestamps --all-containers --prefix --limit-bytes= --max-log-requests= --ignore-errors --client --short --containers --use-protocol-buffers --api-group= --namespaced? --verbs= --cached --recursive --api-version= --show-events? --server-print? --subresource= --all --list --no-color --color --quiet -q --types= --for= --revision= --timeout=";
const KUBE_GLOBALS: Usage = asks(KUBE_OPTIONS, KUBE_ROWS);
const KUBE_LOGS: Usage = Usage { options: KUBE_LOGS_OPTIONS, ..asks("", KUBE_LOGS_ROWS) };
const KUBE_LOGS_OPTIONS: &str = "-n= -l= -c= -p -f --namespace= --selector= --container= --previous --follow --tail= --since= --since-time= --timestamps --all-containers --prefix --limit-bytes= --max-log-requests= --ignore-errors --context= --cluster= --request-timeout=";
const KUBE_LOGS_ROWS: &[Row] = &[
    HELP,
    sends(
        "-s= --server= --insecure-skip-tls-verify? --insecure-skip-tls-verify-backend",
        "talks to another server",
        "kubectl(1)",
    ),
    row("--kubeconfig= --token= --as=", Act::Has(EffectKind::Unknown), "other settings", "kubectl(1)"),
];
/// `kubectl get secrets -o yaml` prints them.
const KUBE_GET: Usage = KUBE_GLOBALS.check(|judge, parsed| {
    for word in &parsed.operands {
        match word.literal() {
            Some(text) if text.to_ascii_lowercase().contains("secret") => {
                judge.secret("prints secrets of the cluster");
            }
            Some(_) => {}
            None if is_known(word) => {}
            None => judge.raise(EffectKind::Unknown, format!("what `{}` names is not known", word.raw)),
        }
    }
    if parsed.has(&["-f", "--filename", "-k", "--kustomize"]) {
        judge.raise(EffectKind::Unknown, "a file or an address names what is asked for");
    }
    kube_output(judge, parsed);
});
const KUBE_ASKS: Usage = KUBE_GLOBALS.check(kube_output);

/// `-o jsonpath-file=PATH`, `-o go-template-file=PATH`, `-o custom-columns-file=PATH` read a file, which is printed.
fn kube_output(judge: &mut Judge<'_>, parsed: &Parsed<'_>) {
    let named = parsed.options.iter().filter(|seen| matches!(&*seen.name, "-o" | "--output"));
    if named.filter_map(|seen| seen.value.as_deref()).any(|value| {
        let shape = Shape::of(value);
        shape.head.contains("file=") || (!shape.tail.is_empty() && !shape.head.contains('='))
    }) {
        judge.raise(EffectKind::Unknown, "the form of its output is a file");
    }
}
const KUBE_CONFIG: Usage = asks(
    "-o= --minify --flatten --output= --no-headers --context=",
    &[
        HELP,
        row("--raw", Act::Secret, "shows certificates and tokens", "kubectl(1)"),
        row("--kubeconfig=", Act::Has(EffectKind::Unknown), "another file", "kubectl(1)"),
    ],
);
const KUBECTL: Tree = Tree {
    globals: &KUBE_GLOBALS,
    subs: &[
        Sub::new("get|describe", KUBE_GET),
        Sub::new("logs", KUBE_LOGS),
        Sub::new(
            "version|api-resources|api-versions|cluster-info|top pod|top pods|top node|top nodes|explain|events|rollout status|rollout history|auth can-i|auth whoami",
            KUBE_ASKS,
        ),
        Sub::new(
            "config view|config current-context|config get-contexts|config get-clusters|config get-users",
            KUBE_CONFIG,
        ),
        Sub::new(
            "exec|run|debug|cp|attach|port-forward|proxy",
            Usage::does(CODE, "runs code in the cluster or opens a way to it", "", TEXT),
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
        row("-help -h --help", Act::Stops, "prints its help", "terraform -help"),
        row("-chdir=", Act::Has(EffectKind::Unknown), "another project", "terraform -help"),
    ],
)
.order(Order::SingleDash);
const TF_READ: Usage = Usage {
    operands: Operands::Files(AccessMode::Read),
    ..asks(
        "-json -no-color -compact-warnings -id=",
        &[
            row("-state=", Act::Path(AccessMode::Read), "reads the named state", "terraform"),
            row("-show-sensitive", Act::Secret, "shows secrets", "terraform show"),
        ],
    )
}
.order(Order::SingleDash)
.needs(TF_NEEDS);
const TF_LIST: Usage = Usage { operands: TEXT, ..TF_READ };
/// `terraform output -raw password` prints what the plain form hides.
const TF_OUTPUT: Usage = Usage {
    operands: TEXT,
    ..asks(
        "-no-color",
        &[
            row("-json -raw", Act::Secret, "shows values that are marked as secret", "terraform output"),
            row("-state=", Act::Path(AccessMode::Read), "reads the named state", "terraform output"),
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
            Usage::does(CODE, "runs providers and changes or plans the infrastructure", "", TEXT),
        ),
    ],
    other: (SYSTEM, "changes state or files of the project"),
};

/// In order of their names.
pub(super) const PROGRAMS: &[Entry] = &[
    ("aws", Form::Special(aws::aws)),
    ("az", Form::Special(verbs::verbs)),
    ("docker", Form::Tree(&DOCKER)),
    ("gcloud", Form::Special(verbs::verbs)),
    ("helm", Form::Tree(&HELM)),
    ("kubectl", Form::Tree(&KUBECTL)),
    ("podman", Form::Tree(&DOCKER)),
    ("terraform", Form::Tree(&TERRAFORM)),
    ("tofu", Form::Tree(&TERRAFORM)),
];
