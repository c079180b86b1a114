//! The keys that run programs. One row a key, with what it does and where that is written.

/// A key of git's configuration, as `section.key` or `section.*.key`, in lower case. `*` is any subsection; a key of `*` is any.
pub(super) struct GitKey {
    pub(super) key: &'static str,
    pub(super) does: &'static str,
    pub(super) source: &'static str,
    pub(super) unless: Unless,
}

/// Values with which a key runs nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unless {
    Never,
    /// true, false, yes, no, on, off, a number, or no value
    Boolean,
    /// the empty value
    Empty,
}

macro_rules! git_keys {
    ($($key:literal $unless:ident $does:literal $source:literal;)*) => {
        /// Every key with which the repository's own configuration makes a reading command run a program.
        pub(super) const GIT_KEYS: &[GitKey] =
            &[$(GitKey { key: $key, does: $does, source: $source, unless: Unless::$unless }),*];
    };
}

git_keys! {
    "core.fsmonitor" Boolean "runs on every look at the working tree" "git-config(1) core.fsmonitor";
    "core.pager" Empty "runs to show output" "git-config(1) core.pager";
    "pager.*" Boolean "runs to show output" "git-config(1) pager.<cmd>";
    "pager.*.*" Never "runs to show output" "git-config(1) pager.<cmd>";
    "core.sshcommand" Empty "runs to reach a remote" "git-config(1) core.sshCommand";
    "core.gitproxy" Empty "runs to reach a remote" "git-config(1) core.gitProxy";
    "core.hookspath" Never "names the directory of hooks" "git-config(1) core.hooksPath";
    "core.alternaterefscommand" Never "runs to list references" "git-config(1) core.alternateRefsCommand";
    "core.askpass" Empty "runs to ask for a password" "git-config(1) core.askPass";
    "core.attributesfile" Never "names attributes that turn filters on" "git-config(1) core.attributesFile";
    "hook.*.command" Never "is a hook" "git-config(1) hook.<name>.command";
    "diff.external" Empty "runs to compare" "git-config(1) diff.external";
    "diff.*.command" Empty "runs to compare" "git-config(1) diff.<driver>.command";
    "diff.*.textconv" Empty "runs to show a file" "git-config(1) diff.<driver>.textconv";
    "filter.*.clean" Empty "runs on a file's content" "gitattributes(5) filter";
    "filter.*.smudge" Empty "runs on a file's content" "gitattributes(5) filter";
    "filter.*.process" Empty "runs on files' contents" "gitattributes(5) filter";
    "merge.*.driver" Empty "runs to merge" "gitattributes(5) merge";
    "gpg.program" Empty "runs to check a signature" "git-config(1) gpg.program";
    "gpg.*.program" Empty "runs to check a signature" "git-config(1) gpg.<format>.program";
    "gpg.*.defaultkeycommand" Empty "runs to find a key" "git-config(1) gpg.ssh.defaultKeyCommand";
    "credential.helper" Empty "runs to find a password" "gitcredentials(7)";
    "credential.*.helper" Empty "runs to find a password" "gitcredentials(7)";
    "remote.*.uploadpack" Never "runs to reach a remote" "git-config(1) remote.<name>.uploadpack";
    "remote.*.receivepack" Never "runs to reach a remote" "git-config(1) remote.<name>.receivepack";
    "remote.*.vcs" Never "runs a remote helper" "git-config(1) remote.<name>.vcs";
    "protocol.ext.allow" Never "lets a remote's address be a command" "git-config(1) protocol.<name>.allow";
    "protocol.allow" Never "may let a remote's address be a command" "git-config(1) protocol.allow";
    "uploadpack.packobjectshook" Never "runs to send objects" "git-config(1) uploadpack.packObjectsHook";
    "interactive.difffilter" Empty "runs to show a difference" "git-config(1) interactive.diffFilter";
    "extensions.partialclone" Never "fetches missing objects while reading" "git-config(1) extensions.partialClone";
    "remote.*.promisor" Never "fetches missing objects while reading" "git-config(1) remote.<name>.promisor";
    "trailer.*.command" Empty "runs to make a trailer" "git-interpret-trailers(1)";
    "trailer.*.cmd" Empty "runs to make a trailer" "git-interpret-trailers(1)";
    "browser.*.cmd" Empty "runs to show help" "git-web--browse(1)";
    "browser.*.path" Empty "runs to show help" "git-web--browse(1)";
    "man.*.cmd" Empty "runs to show help" "git-help(1)";
    "man.*.path" Empty "runs to show help" "git-help(1)";
    "difftool.*.cmd" Empty "runs to compare" "git-difftool(1)";
    "difftool.*.path" Empty "runs to compare" "git-difftool(1)";
    "mergetool.*.cmd" Empty "runs to merge" "git-mergetool(1)";
    "mergetool.*.path" Empty "runs to merge" "git-mergetool(1)";
    "submodule.*.update" Never "may be a command" "gitmodules(5) submodule.<name>.update";
    "tar.*.command" Empty "runs to pack an archive" "git-archive(1) tar.<format>.command";
    "lfs.*.path" Never "runs to move large files" "git-lfs-config(5) lfs.customtransfer.<name>.path";
    "lfs.*.clean" Empty "runs on a file's content" "git-lfs-config(5) lfs.extension.<name>.clean";
    "lfs.*.smudge" Empty "runs on a file's content" "git-lfs-config(5) lfs.extension.<name>.smudge";
    "include.path" Never "includes a file that is not checked" "git-config(1) Includes";
    "includeif.*.path" Never "includes a file that is not checked" "git-config(1) Conditional includes";
}

/// Keys of cargo's configuration, last part after a dot; a dash and an underscore are one.
pub(super) const CARGO_KEYS: &[(&str, &str)] = &[
    ("rustc", "replaces the compiler (cargo reference, build.rustc)"),
    ("rustc-wrapper", "runs in place of the compiler (cargo reference, build.rustc-wrapper)"),
    ("rustc-workspace-wrapper", "runs in place of the compiler (cargo reference, build.rustc-workspace-wrapper)"),
    ("rustdoc", "replaces rustdoc (cargo reference, build.rustdoc)"),
    ("linker", "replaces the linker (cargo reference, target.<triple>.linker)"),
    ("runner", "runs in place of what was built (cargo reference, target.<triple>.runner)"),
    ("rustflags", "can name a linker or plugin (cargo reference, build.rustflags)"),
    ("rustdocflags", "can name a program (cargo reference, build.rustdocflags)"),
    ("credential-provider", "runs to find a token (cargo reference, registry.credential-provider)"),
    ("global-credential-providers", "runs to find a token (cargo reference, registry.global-credential-providers)"),
    ("credential-alias", "names a program (cargo reference, [credential-alias])"),
    ("git-fetch-with-cli", "runs git (cargo reference, net.git-fetch-with-cli)"),
    ("browser", "runs to show documentation (cargo reference, doc.browser)"),
    ("env", "sets the environment of programs (cargo reference, [env])"),
    ("paths", "replaces dependencies (cargo reference, paths)"),
    ("include", "includes a file that is not checked (cargo reference, include)"),
    ("source", "replaces where dependencies come from (cargo reference, [source])"),
];

/// Keys of a project's `.npmrc` (npm config; pnpm and yarn read the file as well).
pub(super) const NPM_KEYS: &[(&str, &str)] = &[
    ("node-options", "is passed to node, which can load a file (npm config node-options)"),
    ("script-shell", "is the shell of scripts (npm config script-shell)"),
    ("shell", "is the shell of `npm explore` (npm config shell)"),
    ("git", "is the git that npm runs (npm config git)"),
    ("editor", "runs to edit (npm config editor)"),
    ("viewer", "runs to show help (npm config viewer)"),
    ("browser", "runs to show a page (npm config browser)"),
    ("onload-script", "is loaded by npm (npm 6 config onload-script)"),
    ("init-module", "is loaded by `npm init` (npm config init-module)"),
    ("globalconfig", "names another configuration (npm config globalconfig)"),
    ("userconfig", "names another configuration (npm config userconfig)"),
    ("prefix", "moves where programs come from (npm config prefix)"),
    ("pnpmfile", "is loaded by pnpm (pnpm settings pnpmfile)"),
    ("global-pnpmfile", "is loaded by pnpm (pnpm settings global-pnpmfile)"),
    ("use-node-version", "chooses the node that runs (pnpm settings use-node-version)"),
    ("yarn-path", "is the yarn that runs (yarn v1 yarn-path)"),
];
