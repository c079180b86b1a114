//! Programs that run a command on another machine or in a container.

use super::spec::Gives::{AfterDashes, Joined};
use super::spec::Purity::Effects;
use super::spec::Site::Elsewhere;
use super::spec::{Opt, Spec, flag, joined, stops, value};

const DOCKER: &[Opt] = &[
    value('\0', "config"), value('c', "context"), flag('D', "debug"), value('H', "host"), value('l', "log-level"),
    flag('\0', "tls"), value('\0', "tlscacert"), value('\0', "tlscert"), value('\0', "tlskey"), flag('\0', "tlsverify"),
    stops('v', "version"), stops('\0', "help"),
];

const EXEC: &[Opt] = &[
    flag('d', "detach"), value('\0', "detach-keys"), value('e', "env"), value('\0', "env-file"), flag('i', "interactive"),
    flag('\0', "privileged"), flag('t', "tty"), value('u', "user"), value('w', "workdir"), flag('l', "latest"),
    value('\0', "preserve-fds"), stops('\0', "help"),
];

const RUN: &[Opt] = &[
    flag('d', "detach"), flag('i', "interactive"), flag('t', "tty"), flag('\0', "rm"), flag('\0', "init"), flag('q', "quiet"),
    flag('P', "publish-all"), joined('\0', "privileged"), joined('\0', "read-only"), value('a', "attach"), value('c', "cpu-shares"),
    value('e', "env"), value('h', "hostname"), value('l', "label"), value('m', "memory"), value('p', "publish"), value('u', "user"),
    value('v', "volume"), value('w', "workdir"), value('\0', "add-host"), value('\0', "cap-add"), value('\0', "cap-drop"),
    value('\0', "cpus"), value('\0', "cpuset-cpus"), value('\0', "device"), value('\0', "dns"), value('\0', "entrypoint"),
    value('\0', "env-file"), value('\0', "expose"), value('\0', "gpus"), value('\0', "ip"), value('\0', "ipc"),
    value('\0', "label-file"), value('\0', "link"), value('\0', "log-driver"), value('\0', "log-opt"), value('\0', "mount"),
    value('\0', "name"), value('\0', "net"), value('\0', "network"), value('\0', "network-alias"), value('\0', "pid"),
    value('\0', "platform"), value('\0', "pull"), value('\0', "restart"), value('\0', "runtime"), value('\0', "security-opt"),
    value('\0', "shm-size"), joined('\0', "sig-proxy"), value('\0', "stop-signal"), value('\0', "stop-timeout"),
    value('\0', "sysctl"), value('\0', "tmpfs"), value('\0', "ulimit"), value('\0', "userns"), value('\0', "uts"),
    value('\0', "volumes-from"), value('\0', "cidfile"), value('\0', "cgroupns"), value('\0', "group-add"), stops('\0', "help"),
];

const COMPOSE: &[Opt] = &[
    flag('d', "detach"), value('e', "env"), value('\0', "index"), flag('T', "no-TTY"), flag('\0', "no-tty"),
    flag('\0', "privileged"), value('u', "user"), value('w', "workdir"), flag('\0', "rm"), value('\0', "name"),
    flag('\0', "no-deps"), flag('\0', "service-ports"), value('v', "volume"), value('p', "publish"), value('\0', "entrypoint"),
    flag('\0', "build"), flag('i', "interactive"), flag('t', "tty"), flag('q', "quiet"), stops('\0', "help"),
];

const NAMES: &[&str] = &["docker", "podman", "nerdctl"];
const BASE: Spec = Spec { names: NAMES, globals: DOCKER, operands: 1, purity: Effects, site: Elsewhere, ..Spec::WORDS };

pub(crate) const SPECS: &[Spec] = &[
    Spec { id: "docker-exec", path: &["exec"], options: EXEC, source: "docker-exec(1)", ..BASE },
    Spec { id: "docker-container-exec", path: &["container", "exec"], options: EXEC, source: "docker-exec(1)", ..BASE },
    Spec { id: "docker-run", path: &["run"], options: RUN, source: "docker-run(1)", ..BASE },
    Spec { id: "docker-container-run", path: &["container", "run"], options: RUN, source: "docker-run(1)", ..BASE },
    Spec { id: "docker-compose-exec", path: &["compose", "exec"], options: COMPOSE, source: "docker compose exec --help", ..BASE },
    Spec { id: "docker-compose-run", path: &["compose", "run"], options: COMPOSE, source: "docker compose run --help", ..BASE },
    Spec { id: "compose-exec", names: &["docker-compose"], path: &["exec"], options: COMPOSE, source: "docker-compose exec --help", ..BASE },
    Spec { id: "compose-run", names: &["docker-compose"], path: &["run"], options: COMPOSE, source: "docker-compose run --help", ..BASE },
    Spec {
        id: "kubectl-exec",
        names: &["kubectl", "oc"],
        path: &["exec"],
        globals: &[
            value('n', "namespace"), value('\0', "context"), value('\0', "cluster"), value('\0', "kubeconfig"),
            value('\0', "user"), value('s', "server"), value('\0', "as"), value('\0', "token"),
        ],
        options: &[
            value('c', "container"), flag('i', "stdin"), flag('t', "tty"), flag('q', "quiet"), value('n', "namespace"),
            value('\0', "context"), value('f', "filename"), value('\0', "pod-running-timeout"), stops('h', "help"),
        ],
        operands: 1,
        gives: AfterDashes,
        purity: Effects,
        site: Elsewhere,
        source: "kubectl exec --help",
        ..Spec::WORDS
    },
    Spec {
        id: "ssh",
        names: &["ssh", "autossh", "slogin"],
        options: &[
            flag('4', ""), flag('6', ""), flag('A', ""), flag('a', ""), flag('C', ""), flag('f', ""), flag('G', ""), flag('g', ""),
            flag('K', ""), flag('k', ""), flag('M', ""), flag('N', ""), flag('n', ""), flag('q', ""), flag('s', ""), flag('T', ""),
            flag('t', ""), flag('v', ""), flag('X', ""), flag('x', ""), flag('Y', ""), flag('y', ""), value('B', ""), value('b', ""),
            value('c', ""), value('D', ""), value('E', ""), value('e', ""), value('F', ""), value('I', ""), value('i', ""),
            value('J', ""), value('L', ""), value('l', ""), value('m', ""), value('O', ""), value('o', ""), value('p', ""),
            value('Q', ""), value('R', ""), value('S', ""), value('W', ""), value('w', ""), stops('V', ""),
        ],
        operands: 1,
        gives: Joined,
        purity: Effects,
        site: Elsewhere,
        source: "ssh(1)",
        ..Spec::WORDS
    },
];
