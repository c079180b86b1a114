//! What a call is about, worked out once: analysis, effects, and every path resolved.

use portcullis_matcher::{Access, PathArg, PathFact, ShellPath, ToolCall};
use portcullis_paths::{Base, FileSystem, ResolvedPath, resolve};
use portcullis_shell_ast::{AccessMode, Analysis, Cwd, Effects, analyze, effects};

use crate::words::{Target, Words};

/// Most operands that are resolved on the disk; the rest counts as unknown.
const MAX_TARGETS: usize = 20_000;

/// A path argument of a file tool, resolved.
#[derive(Clone, Debug)]
pub(crate) struct FilePath {
    pub(crate) access: Access,
    pub(crate) path: ResolvedPath,
}

/// One path that a shell command touches.
#[derive(Clone, Debug)]
pub(crate) struct ShellAccess {
    pub(crate) mode: AccessMode,
    pub(crate) recursive: bool,
    pub(crate) target: Target,
    /// The operand as written, for people.
    pub(crate) text: String,
    /// The command that touches it, by its place in [`Analysis::union`]; `None` for a redirect of a compound command.
    pub(crate) by: Option<usize>,
}

/// The facts of one call.
#[derive(Debug)]
pub(crate) struct CallFacts {
    pub(crate) base: Base,
    pub(crate) cwd: ResolvedPath,
    pub(crate) command: Option<String>,
    pub(crate) analysis: Option<Analysis>,
    pub(crate) effects: Option<Effects>,
    pub(crate) files: Vec<FilePath>,
    pub(crate) shell: Vec<ShellAccess>,
    pub(crate) path_facts: Vec<PathFact>,
    pub(crate) shell_paths: Vec<ShellPath>,
}

impl CallFacts {
    /// Gathers the facts. An error says why the call can't be understood; such a call is denied.
    pub(crate) fn gather(call: &ToolCall, home: Option<&str>, fs: &dyn FileSystem) -> Result<Self, String> {
        if !call.cwd.starts_with('/') && !has_drive(&call.cwd) {
            return Err(format!("the working directory `{}` is not an absolute path", call.cwd));
        }
        let mut base = Base::new(call.cwd.as_str(), home);
        let cwd = resolve(fs, &call.cwd, &base).map_err(|error| format!("the working directory: {error}"))?;
        base.cwd.clone_from(&cwd.resolved);
        let command = call.command().map_err(|error| error.to_string())?;
        let args = call.paths().map_err(|error| error.to_string())?;
        let mut files = Vec::with_capacity(args.len());
        for PathArg { text, access } in args {
            let path = resolve(fs, &text, &base).map_err(|error| format!("the path `{text}`: {error}"))?;
            files.push(FilePath { access, path });
        }
        let mut facts = Self {
            path_facts: files.iter().map(|file| fact(&file.path)).collect(),
            base,
            cwd,
            command,
            analysis: None,
            effects: None,
            files,
            shell: Vec::new(),
            shell_paths: Vec::new(),
        };
        facts.analyse(call, fs)?;
        Ok(facts)
    }

    fn analyse(&mut self, call: &ToolCall, fs: &dyn FileSystem) -> Result<(), String> {
        let Some(command) = &self.command else { return Ok(()) };
        if command.contains('\0') {
            return Err("the command holds a NUL character".to_owned());
        }
        if command.encode_utf16().count() > 1_048_576 {
            return Err("the command is longer than 1,048,576 characters".to_owned());
        }
        if let Some(workdir) = call.workdir() {
            let path = resolve(fs, workdir, &self.base).map_err(|error| format!("the path `{workdir}`: {error}"))?;
            self.base.cwd.clone_from(&path.resolved);
            self.cwd = path;
        }
        let analysis = analyze(command);
        let effects = effects(&analysis);
        self.shell = shell_accesses(&analysis, &effects, &self.base, fs);
        self.shell_paths = self
            .shell
            .iter()
            .filter_map(|access| match &access.target {
                Target::Path(path) => Some(ShellPath { fact: fact(path), changes: access.mode.changes() }),
                Target::Glob(_) | Target::Unknown => None,
            })
            .collect();
        self.analysis = Some(analysis);
        self.effects = Some(effects);
        Ok(())
    }

    /// The resolved paths of the arguments, for the verdict.
    pub(crate) fn resolved(&self) -> Vec<String> {
        self.files.iter().map(|file| file.path.resolved.to_string_lossy().into_owned()).collect()
    }

    /// Whether the directory of a command that needs trusted project configuration is known; and which it is.
    pub(crate) fn directory(&self, cwd: &Cwd, fs: &dyn FileSystem) -> Option<Base> {
        let analysis = self.analysis.as_ref()?;
        Words::new(fs, &self.base, analysis).directory(cwd)
    }
}

fn has_drive(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':')
}

fn fact(path: &ResolvedPath) -> PathFact {
    PathFact {
        typed: path.typed.clone(),
        absolute: path.absolute.to_string_lossy().into_owned(),
        resolved: path.resolved.to_string_lossy().into_owned(),
    }
}

fn shell_accesses(analysis: &Analysis, effects: &Effects, base: &Base, fs: &dyn FileSystem) -> Vec<ShellAccess> {
    let words = Words::new(fs, base, analysis);
    let mut out: Vec<ShellAccess> = Vec::new();
    let commands: Vec<_> = analysis.union().collect();
    // Another machine's paths are not ours.
    let local = |at: &usize| !commands.get(*at).is_some_and(|command| command.remote);
    let judged = effects.commands.iter().chain(&effects.extra).enumerate().filter(|(at, _)| local(at));
    let of_commands = judged.flat_map(|(at, effect)| effect.accesses.iter().map(move |access| (Some(at), access)));
    let all = of_commands.chain(effects.compound.iter().map(|access| (None, access)));
    let mut last: Option<(&Cwd, Option<Base>)> = None;
    for (by, access) in all {
        let Some(word) = &access.path else {
            out.push(unknown(access, by, "(a path that can't be told)"));
            continue;
        };
        if out.len() >= MAX_TARGETS {
            out.push(unknown(access, by, &word.raw));
            break;
        }
        if last.as_ref().is_none_or(|(cwd, _)| *cwd != &access.cwd) {
            last = Some((&access.cwd, words.directory(&access.cwd)));
        }
        let directory = last.as_ref().and_then(|(_, directory)| directory.as_ref());
        for target in words.targets_in(word, directory) {
            let (mode, recursive, text) = (access.mode, access.recursive, word.raw.clone());
            out.push(ShellAccess { mode, recursive, target, text, by });
        }
    }
    out
}

fn unknown(access: &portcullis_shell_ast::Access, by: Option<usize>, text: &str) -> ShellAccess {
    let (mode, recursive) = (access.mode, access.recursive);
    ShellAccess { mode, recursive, target: Target::Unknown, text: text.to_owned(), by }
}
