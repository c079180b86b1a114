//! gcloud and az: groups of commands that end in a verb.

use crate::effects::EffectKind;
use crate::effects::judge::Judge;

const SYSTEM: EffectKind = EffectKind::ChangesSystem;

/// Verbs that only show.
const READ: &[&str] = &["list", "describe", "show", "list-locations", "get-iam-policy", "version", "info"];
/// Options that choose and shape what is shown.
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
pub(super) fn verbs(judge: &mut Judge<'_>) {
    judge.raise(EffectKind::ReadOnly, "asks its own service");
    let mut path = Vec::new();
    let mut skip = false;
    for word in judge.words {
        let Some(text) = word.literal() else {
            if !skip {
                judge.raise(EffectKind::Unknown, format!("what `{}` names is not known", word.raw));
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
            if !KNOWN.contains(&name) {
                judge.raise(EffectKind::Unknown, format!("option `{name}` is not in its table"));
            }
            skip = !text.contains('=')
                && !matches!(name, "--quiet" | "-q" | "--uri" | "--global" | "--all" | "--only-show-errors");
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
        judge.raise(SYSTEM, "is no `list`, `describe` or `show` command of a group in its table");
    }
    if path.iter().any(|word| {
        ["secret", "key", "token", "credential", "auth", "password", "connection-string"]
            .iter()
            .any(|part| word.contains(part))
    }) {
        judge.secret("shows secrets or credentials");
    }
}
