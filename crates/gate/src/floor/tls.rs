//! Checks of certificates and host keys.

use super::{FloorRule, Program, Subject, in_cluster};

pub(super) const RULE: FloorRule = FloorRule {
    id: "tls-off",
    summary: "switches off the check of TLS certificates or SSH host keys",
    source: "curl(1), wget(1), git-config(1) http.sslVerify, npm-config(7) strict-ssl, ssh_config(5) StrictHostKeyChecking …",
    check,
};

/// A variable and the values that switch checking off.
struct Variable {
    name: &'static str,
    off: fn(&str) -> bool,
}

/// Any value but an empty one or an explicit no.
fn any(value: &str) -> bool {
    !matches!(value.to_ascii_lowercase().as_str(), "" | "0" | "false" | "no" | "off")
}

fn falsy(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "0" | "false" | "no" | "off")
}

const VARIABLES: &[Variable] = &[
    Variable { name: "NODE_TLS_REJECT_UNAUTHORIZED", off: |value| value == "0" },
    Variable { name: "GIT_SSL_NO_VERIFY", off: any },
    Variable { name: "PYTHONHTTPSVERIFY", off: |value| value == "0" },
    Variable { name: "NPM_CONFIG_STRICT_SSL", off: falsy },
    Variable { name: "NPM_CONFIG_CAFILE", off: |value| value == "null" },
    Variable { name: "YARN_ENABLE_STRICT_SSL", off: falsy },
    Variable { name: "YARN_STRICT_SSL", off: falsy },
    Variable { name: "PIP_TRUSTED_HOST", off: any },
    Variable { name: "UV_INSECURE_HOST", off: any },
    Variable { name: "GOINSECURE", off: any },
    Variable { name: "REQUESTS_CA_BUNDLE", off: str::is_empty },
    Variable { name: "CURL_CA_BUNDLE", off: str::is_empty },
    Variable { name: "SSL_CERT_FILE", off: |value| value == "/dev/null" },
    Variable { name: "AZURE_CLI_DISABLE_CONNECTION_VERIFICATION", off: any },
    Variable { name: "DOCKER_TLS_VERIFY", off: |value| value == "0" },
    Variable { name: "GIT_SSH_COMMAND", off: no_host_key },
    Variable { name: "GIT_SSH_VARIANT", off: no_host_key },
    Variable { name: "RSYNC_RSH", off: no_host_key },
];

/// A program, and the options with which it stops checking. `=value` in an entry: only with that value.
struct Flags {
    programs: &'static [&'static str],
    options: &'static [&'static str],
}

const FLAGS: &[Flags] = &[
    Flags {
        programs: &["kubectl", "helm", "oc", "k9s", "velero"],
        options: &[
            "--insecure-skip-tls-verify",
            "--kube-insecure-skip-tls-verify",
            "--insecure-skip-tls-verify-backend",
        ],
    },
    Flags { programs: &["aws"], options: &["--no-verify-ssl"] },
    Flags {
        programs: &["docker", "podman", "buildah", "skopeo"],
        options: &["--tlsverify=false", "--tls-verify=false", "--src-tls-verify=false", "--dest-tls-verify=false"],
    },
    Flags { programs: &["http", "https", "httpie", "xh", "xhs"], options: &["--verify=no", "--verify=false"] },
    Flags { programs: &["svn"], options: &["--trust-server-cert", "--trust-server-cert-failures"] },
    Flags { programs: &["uv", "uvx"], options: &["--allow-insecure-host"] },
    Flags {
        programs: &["pip", "pip3", "pipx", "pipenv", "python", "python3", "pip-compile"],
        options: &["--trusted-host"],
    },
    Flags {
        programs: &["npm", "npx", "pnpm", "yarn", "bun"],
        options: &["--strict-ssl=false", "--no-strict-ssl", "--cafile=null"],
    },
    Flags { programs: &["apt", "apt-get", "aptitude"], options: &["--allow-unauthenticated"] },
    Flags { programs: &["composer"], options: &["--no-secure-http"] },
    Flags { programs: &["grpcurl", "lftp", "rclone"], options: &["-insecure", "--no-check-certificate"] },
    Flags {
        programs: &["mongosh", "mongo"],
        options: &["--tlsAllowInvalidCertificates", "--sslAllowInvalidCertificates"],
    },
];

/// Letters of curl that take a value (curl(1), 8.x): a cluster ends at one.
const CURL_VALUES: &str = "AbcCdDeEFhHKmoPQrtTuUwxXyYz";

/// Letters of ssh, scp and sftp that take a value.
const SSH_VALUES: &str = "bBcDEeFIiJLlmOoPpQRSWwXs";

fn check(subject: &Subject<'_>) -> Option<String> {
    let off = subject
        .assignments()
        .find(|(name, value)| VARIABLES.iter().any(|row| row.name.eq_ignore_ascii_case(name) && (row.off)(value)));
    if let Some((name, value)) = off {
        return Some(format!("switches off certificate checks (`{name}={value}`)"));
    }
    subject
        .programs
        .iter()
        .find(|program| weakens(program))
        .map(|program| format!("switches off the check of certificates or host keys (`{}`)", program.name))
}

fn weakens(program: &Program<'_>) -> bool {
    match program.name.as_str() {
        "curl" => curl(program),
        "wget" | "wget2" => {
            program.has_long("--no-check-certificate", 10)
                || values(program, "-e", "--execute").any(|value| setting(value, "check_certificate", falsy))
        }
        "git" => git(program),
        "ssh" | "scp" | "sftp" | "ssh-copy-id" | "autossh" | "sshfs" => ssh(program),
        "rsync" => values(program, "-e", "--rsh").any(no_host_key),
        "npm" | "pnpm" | "yarn" | "bun" => node_config(program) || flagged(program),
        "pip" | "pip3" => flagged(program) || pip_config(program),
        "conda" | "mamba" => program.has(&["ssl_verify"]) && program.known().any(falsy),
        "composer" => program.has(&["disable-tls"]) && program.known().any(|value| value == "true") || flagged(program),
        "gcloud" => {
            program.has(&["auth/disable_ssl_validation"])
                && program.known().any(|value| value.eq_ignore_ascii_case("true"))
        }
        "apt" | "apt-get" | "aptitude" => {
            flagged(program)
                || program.known().any(|word| {
                    let word = word.to_ascii_lowercase();
                    word.contains("verify-peer=false") || word.contains("allowinsecurerepositories=true")
                })
        }
        "bundle" | "bundler" => program.has(&["ssl_verify_mode"]) && program.has(&["0"]),
        _ => flagged(program),
    }
}

fn flagged(program: &Program<'_>) -> bool {
    FLAGS.iter().filter(|row| row.programs.contains(&program.name.as_str())).any(|row| {
        row.options.iter().any(|option| match option.split_once('=') {
            None => program.known().any(|word| {
                word == *option
                    || word
                        .strip_prefix(option)
                        .and_then(|rest| rest.strip_prefix('='))
                        .is_some_and(|value| !falsy(value))
            }),
            Some((name, off)) => program.values_of(None, name).any(|value| value.eq_ignore_ascii_case(off)),
        })
    })
}

fn curl(program: &Program<'_>) -> bool {
    // curl takes unambiguous prefixes of long options; no other option starts with `--insec`.
    let long = program.known().any(|word| {
        (word.len() >= 5 && "--insecure".starts_with(word)) || ["--proxy-insecure", "--doh-insecure"].contains(&word)
    });
    // A value is no option: `-o -k` writes to a file called `-k`.
    let mut value_next = false;
    let short = program.args.iter().any(|word| {
        let Some(word) = word.as_deref() else {
            value_next = false;
            return false;
        };
        if std::mem::take(&mut value_next) {
            return false;
        }
        let cluster = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')).unwrap_or_default();
        value_next = cluster
            .chars()
            .position(|c| CURL_VALUES.contains(c))
            .is_some_and(|at| at.saturating_add(1) == cluster.chars().count());
        in_cluster(word, 'k', CURL_VALUES)
    });
    long || short
}

fn git(program: &Program<'_>) -> bool {
    let key_off = |key: &str| {
        let key = key.to_ascii_lowercase();
        key.starts_with("http.") && key.ends_with(".sslverify") || key == "http.sslverify"
    };
    let inline = values(program, "-c", "--config").any(|value| match value.split_once('=') {
        Some((key, value)) => {
            key_off(key) && falsy(value) || key.eq_ignore_ascii_case("core.sshCommand") && no_host_key(value)
        }
        None => false,
    });
    let mut words = program.known().skip_while(|word| *word != "config").skip(1).skip_while(|word| !word.contains('.'));
    let configured = match (words.next(), words.next()) {
        (Some(key), Some(value)) => {
            key_off(key) && falsy(value) || key.eq_ignore_ascii_case("core.sshCommand") && no_host_key(value)
        }
        _ => false,
    };
    inline || configured
}

fn ssh(program: &Program<'_>) -> bool {
    // Options end at the first operand, the host; what follows is the remote command.
    let mut value_next = false;
    let own = program.args.iter().take_while(|word| {
        let Some(word) = word.as_deref() else { return true };
        let is_value = std::mem::take(&mut value_next);
        if is_value || program.name != "ssh" {
            return true;
        }
        let cluster = word.strip_prefix('-').unwrap_or_default();
        value_next = cluster
            .chars()
            .position(|c| SSH_VALUES.contains(c))
            .is_some_and(|at| at.saturating_add(1) == cluster.chars().count());
        word.starts_with('-')
    });
    let own: Vec<&str> = own.flatten().map(String::as_str).collect();
    own.iter().any(|word| host_key_setting(word.strip_prefix("-o").unwrap_or(word)))
}

/// `StrictHostKeyChecking=no`, `StrictHostKeyChecking no`.
fn host_key_setting(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    let Some(rest) = text.strip_prefix("stricthostkeychecking") else { return false };
    matches!(rest.trim_start_matches([' ', '=', '\t', '"']).trim_end_matches('"'), "no" | "off")
}

/// An ssh command line that has the setting.
fn no_host_key(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    ["stricthostkeychecking=no", "stricthostkeychecking no", "stricthostkeychecking=off"]
        .iter()
        .any(|setting| value.contains(setting))
}

/// `npm config set strict-ssl false`, `npm set strict-ssl=false`, `yarn config set enableStrictSsl false`.
fn node_config(program: &Program<'_>) -> bool {
    let sets = program.has(&["set"]);
    let key = |word: &str| {
        ["strict-ssl", "cafile", "enablestrictssl", "strictssl", "ca"].contains(&word.to_ascii_lowercase().as_str())
    };
    let off = |value: &str| falsy(value) || value == "null" || value.is_empty();
    let words: Vec<&str> = program.known().collect();
    let pairs = words.iter().zip(words.iter().skip(1));
    sets && (pairs.into_iter().any(|(name, value)| key(name) && off(value))
        || words.iter().filter_map(|word| word.split_once('=')).any(|(name, value)| key(name) && off(value)))
}

fn pip_config(program: &Program<'_>) -> bool {
    program.has(&["config"]) && program.has(&["set"]) && program.known().any(|word| word.ends_with("trusted-host"))
}

fn values<'a>(program: &'a Program<'_>, short: &'a str, long: &'a str) -> impl Iterator<Item = &'a str> {
    program.values_of(Some(short), long)
}

fn setting(text: &str, name: &str, off: fn(&str) -> bool) -> bool {
    text.split_once('=').is_some_and(|(key, value)| key.trim().eq_ignore_ascii_case(name) && off(value.trim()))
}
