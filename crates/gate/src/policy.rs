//! Settings, compiled once for many decisions.

use std::path::PathBuf;
use std::sync::OnceLock;

use portcullis_config::{BypassLock, Diagnostic, DiagnosticKind, EffectiveConfig, Layer, Loaded, Mode, RuleSource};
use portcullis_matcher::{Hit, RuleProblem, ShellRules, Suspended};
use portcullis_paths::{Base, ControlFiles, DeniedPaths, FileSystem, PatternProblem, ProtectedPaths};

use crate::RuleRef;
use crate::rules::{Rules, source_of, written};

/// Compiled settings.
#[derive(Debug)]
pub struct Policy {
    config: EffectiveConfig,
    degraded: Option<String>,
    rules: Rules,
    /// `rules` without the allow rules that hand over arbitrary execution.
    classified_rules: Rules,
    suspended: Vec<Suspended>,
    rule_problems: Vec<RuleProblem>,
    path_problems: Vec<PatternProblem>,
    denied: DeniedPaths,
    protected: ProtectedPaths,
    control: ControlFiles,
    /// `control` with where its links lead and which inodes it has: hundreds of looks at the disk, for calls that change something.
    located: OnceLock<ControlFiles>,
}

impl Policy {
    /// Compiles what [`portcullis_config::load`] gave. `base` tells the home directory that patterns with `~` mean.
    ///
    /// A deny or ask rule that does not compile makes the policy degraded, as unreadable settings do: no call is allowed
    /// without a person then, because the lost rule might have stopped it.
    pub fn compile(loaded: Loaded, base: &Base, fs: &dyn FileSystem) -> Self {
        let Loaded { config, degraded, .. } = loaded;
        let (rules, rule_problems) = Rules::compile(&config);
        let shell = if config.auto_mode.classify_all_shell { ShellRules::None } else { ShellRules::Narrow };
        let (classified_rules, suspended) = rules.clone().suspend_broad(shell);
        let owned: Vec<String> = config.auto_mode.denied_paths.iter().map(|rule| rule.text.clone()).collect();
        let (denied, path_problems) = DeniedPaths::compile(&owned, base, fs);
        let protected: Vec<String> = config.auto_mode.protected_paths.iter().map(|rule| rule.text.clone()).collect();
        let lost = rule_problems.iter().find(|problem| problem.tightening);
        let degraded = degraded.or_else(|| lost.map(|problem| format!("rule `{}`: {}", problem.text, problem.message)));
        Self {
            degraded,
            rules,
            classified_rules,
            suspended,
            rule_problems,
            path_problems,
            denied,
            protected: ProtectedPaths::new(&protected),
            control: ControlFiles::default(),
            located: OnceLock::new(),
            config,
        }
    }

    /// Adds the files that the gate itself is made of: settings of every layer, trust store, state, logs, hook entries, binary.
    #[must_use]
    pub fn with_control_files(mut self, files: Vec<PathBuf>, directories: Vec<PathBuf>) -> Self {
        self.control = ControlFiles { files, directories, ..ControlFiles::default() };
        self.located = OnceLock::new();
        self
    }

    /// The settings.
    pub fn config(&self) -> &EffectiveConfig {
        &self.config
    }

    /// Why nothing is allowed locally, if so.
    pub fn degraded(&self) -> Option<&str> {
        self.degraded.as_deref()
    }

    /// Allow rules that don't count while a classifier decides, because they hand over arbitrary execution.
    pub fn suspended(&self) -> &[Suspended] {
        &self.suspended
    }

    /// Rules and denied paths that could not be compiled, or that do nothing, as findings with their place.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let rules = self.rule_problems.iter().map(|problem| {
            let kind = if problem.tightening { DiagnosticKind::LOST_RULE } else { DiagnosticKind::BAD_ENTRY };
            let source = written(&self.config, problem.list, problem.index, &problem.text);
            finding(kind, source, format!("rule `{}`: {}", problem.text, problem.message), None)
        });
        let paths = self.path_problems.iter().map(|problem| {
            let source = self.config.auto_mode.denied_paths.get(problem.index).map(|rule| rule.source.clone());
            let message = format!("denied path `{}`: {}", problem.pattern, problem.message);
            finding(DiagnosticKind::BAD_ENTRY, source, message, problem.hint.clone())
        });
        rules.chain(paths).collect()
    }

    pub(crate) fn denied(&self) -> &DeniedPaths {
        &self.denied
    }

    pub(crate) fn protected(&self) -> &ProtectedPaths {
        &self.protected
    }

    /// The gate's own files and the floor files of the user's home. Looked up on the disk at the first call.
    pub(crate) fn control(&self, base: &Base, fs: &dyn FileSystem) -> &ControlFiles {
        self.located.get_or_init(|| self.control.clone().located(fs, base))
    }

    /// The rules that hold in `mode`.
    pub(crate) fn rules(&self, mode: Mode) -> &Rules {
        match mode {
            Mode::Auto => &self.classified_rules,
            Mode::Default | Mode::AcceptEdits | Mode::Plan | Mode::DontAsk | Mode::BypassPermissions => &self.rules,
        }
    }

    /// The mode that holds if the session asks for `wanted`.
    pub(crate) fn mode(&self, wanted: Option<Mode>) -> Mode {
        let mode = wanted.unwrap_or(self.config.mode);
        match (mode, self.config.permissions.bypass) {
            (Mode::BypassPermissions, BypassLock::Locked) => Mode::Default,
            (mode, _) => mode,
        }
    }

    /// Where the rule of a hit stands.
    pub(crate) fn rule_ref(&self, hit: Hit) -> RuleRef {
        let source = source_of(&self.config, &hit);
        RuleRef { list: hit.list, text: hit.rule, source, detail: hit.detail }
    }
}

fn finding(kind: DiagnosticKind, source: Option<RuleSource>, message: String, hint: Option<String>) -> Diagnostic {
    // A rule of a map has no place in the lists; its text tells which one it is.
    let (layer, file, pointer, line) = match source {
        Some(source) => (source.layer, source.file, source.pointer, source.line),
        None => (Layer::BuiltIn, None, String::new(), None),
    };
    Diagnostic { severity: kind.severity, id: kind.id, layer, file, pointer, line, message, hint }
}
