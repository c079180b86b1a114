//! What a rule set is shown of a call. The gate gathers it; nothing here touches the file system.

use portcullis_shell_ast::{Analysis, Effects};

use crate::ToolCall;

/// The facts of one call.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The call.
    pub call: &'a ToolCall,
    /// The analysis of its shell command. A bash call without one matches deny and ask rules of its tool by its raw
    /// text only, and no allow rule.
    pub analysis: Option<&'a Analysis>,
    /// What the commands do.
    pub effects: Option<&'a Effects>,
    /// One for each of [`ToolCall::paths`], in that order.
    pub paths: &'a [PathFact],
    /// Proven accesses of a bash call.
    pub shell_paths: &'a [ShellPath],
    /// The user's home directory.
    pub home: Option<&'a str>,
    /// The working directory, symbolic links resolved ([`ToolCall::cwd`] is the same directory as the host wrote it).
    pub cwd: &'a str,
    /// The directory that `Edit(/src/**)` starts from: the project of the settings file.
    pub settings_root: Option<&'a str>,
}

/// One path in its three forms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathFact {
    /// As the call wrote it.
    pub typed: String,
    /// Absolute and lexically normalised.
    pub absolute: String,
    /// Absolute, with symbolic links followed.
    pub resolved: String,
}

/// A path that a shell command is proven to touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShellPath {
    /// The path.
    pub fact: PathFact,
    /// The command changes it; otherwise it is read.
    pub changes: bool,
}
