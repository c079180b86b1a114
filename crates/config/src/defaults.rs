//! The built-in entries, for which `$defaults` stands. Plain sentences for the classifier, plain names for paths.

/// What the classifier is told about the surroundings.
pub const ENVIRONMENT: &[&str] = &[
    "Trusted repository: the one the session was started in, together with the remotes that git has configured for it",
    "Source control: only that repository and those remotes",
    "Trusted internal domains: none have been configured",
    "Trusted cloud buckets: none have been configured",
    "Key internal services: none have been configured",
];

/// Exceptions to the soft blocks.
pub const ALLOW: &[&str] = &[
    "Reading without side effects (looking at files, listing directories, searching, GET requests, querying state), as long as no secret is revealed",
    "Working on the working tree: creating, editing, building, testing, linting and formatting files in it, and deleting files that this task created",
    "Installing dependencies that a package manifest or lockfile already declares",
    "Using the usual credentials, each only with the provider it was set up for",
    "Pushing to the non-default branch that is checked out, or to a branch newly made for this task",
    "Setting up a language or its toolchain with the installer from its official source",
];

/// Blocks that an exception or the user's specific words can override.
pub const SOFT_DENY: &[&str] = &[
    "Force-pushing, deleting a remote branch, rewriting remote history, or pushing straight to main, master or the default branch",
    "Fetching code from outside and running it, such as curl or wget piped into a shell",
    "Deploying to production, migrating a production database, or changing production infrastructure",
    "Deleting, truncating or overwriting local files that were there before, unless the user named that very target",
    "Changing or deleting in bulk in cloud storage, ticket systems, collaboration tools or external APIs",
    "Writing through a remote shell (ssh, kubectl exec, docker exec) on a shared or production host",
    "Changing shared or live infrastructure without the preview, plan, dry run or review that is usual for it",
    "Killing other people's processes, cancelling shared jobs, or otherwise disturbing shared infrastructure",
    "Opening local files, sockets, credentials or internal services to a network",
    "Acting in the real world: sending messages outside, buying, booking, subscribing or similar transactions",
];

/// Blocks that nothing overrides.
pub const HARD_DENY: &[&str] = &[
    "Weakening TLS, certificate checks, authentication, authorization, audit logs or any other security control",
    "Installing persistence: SSH keys, changes to shell profiles, cron jobs, launch agents, login items or background agents",
    "Granting admin, owner, IAM, RBAC, repository or production access",
    "Carrying repository contents, secrets, credentials, private keys, tokens or internal data to a place that is not trusted",
    "Hunting for credentials, tokens, private keys or secrets further than the task needs",
    "Tampering with logs, audit trails, security monitoring, permission rules, the auto-mode configuration or files that control safety",
    "Setting up services, endpoints, workflows or autonomous agents that run arbitrary code without a real approval",
    "Publishing or changing public or external content that is made up, misleading, speaks in a user's name, or claims an approval or action that did not happen",
];

/// Files and directories that configure tools; a change to one is never allowed locally.
pub const PROTECTED_PATHS: &[&str] = &[
    // Directories
    ".git",
    ".config/git",
    ".vscode",
    ".idea",
    ".husky",
    ".cargo",
    ".devcontainer",
    ".yarn",
    ".mvn",
    ".pi",
    ".claude",
    ".portcullis",
    ".codex",
    ".gemini",
    ".cursor",
    ".onecode",
    ".github/workflows",
    // Git
    ".gitconfig",
    ".gitmodules",
    ".gitignore",
    ".gitattributes",
    // Bash
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_aliases",
    ".bash_logout",
    // Zsh
    ".zshrc",
    ".zprofile",
    ".zshenv",
    ".zlogin",
    ".zlogout",
    // Other shells
    ".profile",
    ".envrc",
    // Package managers
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnp.cjs",
    ".pnp.loader.mjs",
    ".pnpmfile.cjs",
    // Bun
    "bunfig.toml",
    ".bunfig.toml",
    // Bazel
    ".bazelrc",
    ".bazelversion",
    ".bazeliskrc",
    // Hooks
    ".pre-commit-config.yaml",
    "lefthook.yml",
    "lefthook.yaml",
    ".lefthook.yml",
    ".lefthook.yaml",
    // Wrappers
    "gradle-wrapper.properties",
    "maven-wrapper.properties",
    // Other control files
    ".devcontainer.json",
    ".ripgreprc",
    "pyrightconfig.json",
    ".mcp.json",
    ".claude.json",
];
