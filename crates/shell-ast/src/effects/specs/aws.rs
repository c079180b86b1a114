//! aws: `describe-…`, `list-…` and `get-…` operations (AWS CLI reference).

use crate::effects::EffectKind;
use crate::effects::judge::Judge;

const SYSTEM: EffectKind = EffectKind::ChangesSystem;

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
    "appsync list-api-keys",
    "cognito-idp describe-user-pool-client",
    "elasticbeanstalk describe-configuration-settings",
    "gamelift get-compute-auth-token",
    "gamelift get-instance-access",
    "glue get-connection",
    "glue get-connections",
    "redshift-serverless get-credentials",
    "sts get-delegated-access-token",
    "bedrock-agentcore get-resource-api-key",
    "transfer describe-connector",
    "workspaces get-account-link",
];
/// Options of aws that send the request elsewhere or write.
const AWS_OPTIONS: &[(&str, EffectKind, &str)] = &[
    ("--endpoint-url", EffectKind::Network, "talks to another host"),
    ("--no-verify-ssl", EffectKind::Network, "does not check certificates"),
    ("--debug", EffectKind::Unknown, "prints requests with their credentials"),
    ("--ca-bundle", EffectKind::Network, "checks certificates by another list"),
    ("--cli-input-json", EffectKind::Unknown, "takes its request from elsewhere"),
    ("--cli-input-yaml", EffectKind::Unknown, "takes its request from elsewhere"),
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
    "--filters",
    "--filter",
    "--max-results",
    "--next-token",
    "--limit",
];

/// Words of aws: `aws [options] service operation [options]`.
pub(super) fn aws(judge: &mut Judge<'_>) {
    judge.raise(EffectKind::ReadOnly, "asks its own service");
    let mut positional = Vec::new();
    let mut words = judge.words.iter();
    while let Some(word) = words.next() {
        let Some(text) = word.literal() else {
            let named = word.literal_prefix().contains('=');
            if positional.len() < 2 || crate::effects::words::Shape::of(word).splits || !named {
                judge.raise(EffectKind::Unknown, format!("what `{}` names is not known", word.raw));
            }
            continue;
        };
        let (name, attached) = text.split_once('=').map_or((&*text, false), |(name, _)| (name, true));
        if !name.starts_with("--") {
            if text.starts_with('-') || text.starts_with("file") || (text.contains("://") && !text.starts_with("s3://"))
            {
                judge.raise(EffectKind::Unknown, format!("`{}` is a file, an address or not in its table", word.raw));
            }
            positional.push(text);
            continue;
        }
        if name == "--version" && judge.words.len() == 1 {
            return;
        }
        if let Some((_, kind, reason)) =
            AWS_OPTIONS.iter().find(|(known, _, _)| name.len() > 3 && known.starts_with(name))
        {
            judge.raise(*kind, format!("`{name}`: {reason}"));
        } else if !AWS_KNOWN.contains(&name) && !aws_selector(name) {
            judge.raise(EffectKind::Unknown, format!("option `{name}` is not in its table"));
        }
        if !attached && positional.len() < 2 && !matches!(name, "--debug" | "--no-cli-pager" | "--no-paginate") {
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
        _ if ["describe-", "list-", "get-"].iter().any(|verb| operation.starts_with(verb)) && !service.is_empty() => {}
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
