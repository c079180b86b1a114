//! An analysis as people read it: one line a command, indented below what runs it.

use std::fmt;

use crate::analysis::{
    Analysis, Assignment, Command, Context, Cwd, Origin, ParseOutcome, Part, Redirect, SecondOpinion, Word,
};

impl fmt::Display for Analysis {
    /// A tree of the commands, then redirects of compounds, opaque parts and the second opinion.
    ///
    /// ```
    /// let analysis = portcullis_shell_ast::analyze("cd src && sudo rm 'a b' >log");
    /// let text = analysis.to_string();
    /// assert!(text.contains("rm 'a b'"), "{text}");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let ParseOutcome::Error { message, span } = &self.parse {
            writeln!(f, "not a complete script: {message} (bytes {}..{})", span.start, span.end)?;
        }
        let mut depths: Vec<usize> = Vec::with_capacity(self.commands.len());
        for command in &self.commands {
            let depth = match command.origin {
                Origin::Direct => 0,
                Origin::Dispatch { by } | Origin::Script { by } => {
                    depths.get(by).copied().unwrap_or(0).saturating_add(1).min(32)
                }
            };
            depths.push(depth);
            writeln!(f, "{:indent$}{command}", "", indent = depth.saturating_mul(2))?;
        }
        for scoped in &self.compound_redirects {
            writeln!(f, "around a compound command: {}", scoped.redirect)?;
        }
        for opaque in &self.opaque {
            writeln!(f, "opaque, {:?}: {}", opaque.kind, opaque.detail)?;
        }
        match &self.second {
            SecondOpinion::Agreed => writeln!(f, "both parsers agree"),
            SecondOpinion::Differs { why, extra } => {
                writeln!(f, "the parsers differ: {why}")?;
                extra.iter().try_for_each(|command| writeln!(f, "  only the second: {command}"))
            }
            SecondOpinion::Outside { why } => writeln!(f, "the second parser was not asked: {why}"),
            SecondOpinion::NotAsked => writeln!(f, "the second parser was not asked"),
        }
    }
}

impl fmt::Display for Command {
    /// The command's words as bash gets them, with what is special about it in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        let mut gap = |f: &mut fmt::Formatter<'_>| if std::mem::take(&mut first) { Ok(()) } else { f.write_str(" ") };
        for assignment in &self.assignments {
            gap(f)?;
            write!(f, "{assignment}")?;
        }
        for word in &self.words {
            gap(f)?;
            write!(f, "{word}")?;
        }
        for redirect in &self.redirects {
            gap(f)?;
            write!(f, "{redirect}")?;
        }
        // What a dispatcher runs is shown by its indentation.
        let contexts = self.place.context.iter().filter(|context| **context != Context::Dispatched);
        let mut notes: Vec<String> = contexts.map(|context| context_name(*context).to_owned()).collect();
        match &self.cwd {
            Cwd::Start => {}
            Cwd::Moved(words) => {
                let path: Vec<String> = words.iter().map(ToString::to_string).collect();
                notes.push(format!("in {}", path.join(" then ")));
            }
            Cwd::Unknown => notes.push("in an unknown directory".to_owned()),
        }
        notes.extend(self.remote.then(|| "elsewhere".to_owned()));
        notes.extend(self.shadowed.then(|| "redefined by the script".to_owned()));
        if notes.is_empty() { Ok(()) } else { write!(f, "  [{}]", notes.join(", ")) }
    }
}

impl fmt::Display for Word {
    /// The value, quoted where a reader would take it for something else.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.parts.iter().any(|part| matches!(part, Part::Choice(_) | Part::Dynamic { .. })) {
            return f.write_str(&self.raw);
        }
        f.write_str(&crate::walk::render(&self.parts))
    }
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let op = if self.append { "+=" } else { "=" };
        match &self.value {
            Some(value) if value.parts.is_empty() => write!(f, "{}{op}", self.name),
            Some(value) => write!(f, "{}{op}{value}", self.name),
            None => write!(f, "{}{op}(…)", self.name),
        }
    }
}

impl fmt::Display for Redirect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.fd_var, self.fd) {
            (Some(name), _) => write!(f, "{{{name}}}")?,
            (None, Some(fd)) => write!(f, "{fd}")?,
            (None, None) => {}
        }
        write!(f, "{}{}", self.op.text(), self.target)
    }
}

const fn context_name(context: Context) -> &'static str {
    match context {
        Context::Group => "group",
        Context::Subshell => "subshell",
        Context::Function => "function",
        Context::Condition => "condition",
        Context::Branch => "branch",
        Context::Loop => "loop",
        Context::CaseArm => "case",
        Context::Background => "background",
        Context::Negated => "negated",
        Context::Coproc => "coproc",
        Context::CommandSubstitution => "substitution",
        Context::ProcessSubstitution => "process substitution",
        Context::NestedScript => "script",
        Context::Dispatched => "run by the command above",
    }
}
