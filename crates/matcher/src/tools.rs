//! The tool table: which host calls which tool by which name, and which argument is its subject.

/// What a tool does, which decides what its subject is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ToolKind {
    /// Runs a shell command.
    Bash,
    /// Reads a file.
    Read,
    /// Writes a whole file.
    Write,
    /// Changes a file, or several with one patch.
    Edit,
    /// Changes a notebook.
    NotebookEdit,
    /// Searches the content of files.
    Grep,
    /// Searches the names of files.
    Find,
    /// Lists a directory.
    Ls,
    /// Fetches a URL.
    WebFetch,
    /// Searches the web.
    WebSearch,
    /// Starts another agent.
    Agent,
    /// A tool of an MCP server, `mcp__server__tool`.
    Mcp,
    /// Any other tool.
    Other,
}

impl ToolKind {
    /// A tool whose subject is a path.
    pub const fn takes_path(self) -> bool {
        match self {
            Self::Read | Self::Write | Self::Edit | Self::NotebookEdit | Self::Find | Self::Ls => true,
            Self::Bash | Self::Grep | Self::WebFetch | Self::WebSearch | Self::Agent | Self::Mcp | Self::Other => false,
        }
    }

    /// A file tool that changes the file at its path.
    pub const fn changes_files(self) -> bool {
        match self {
            Self::Write | Self::Edit | Self::NotebookEdit => true,
            Self::Bash
            | Self::Read
            | Self::Find
            | Self::Ls
            | Self::Grep
            | Self::WebFetch
            | Self::WebSearch
            | Self::Agent
            | Self::Mcp
            | Self::Other => false,
        }
    }

    /// A file tool that only reads.
    pub const fn reads_files(self) -> bool {
        match self {
            Self::Read | Self::Grep | Self::Find | Self::Ls => true,
            Self::Bash
            | Self::Write
            | Self::Edit
            | Self::NotebookEdit
            | Self::WebFetch
            | Self::WebSearch
            | Self::Agent
            | Self::Mcp
            | Self::Other => false,
        }
    }
}

/// One name by which a host calls a tool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameRow {
    /// The host's name, lower-case, without `_` and `-`.
    pub(crate) host_name: &'static str,
    /// Our name.
    pub(crate) canonical: &'static str,
    /// What it does.
    pub(crate) kind: ToolKind,
    /// Which host uses the name; for people who extend the table.
    pub(crate) used_by: &'static str,
}

const fn row(host_name: &'static str, canonical: &'static str, kind: ToolKind, used_by: &'static str) -> NameRow {
    NameRow { host_name, canonical, kind, used_by }
}

/// Every known name. `_`, `-` and case do not count: `run_shell_command` is looked up as `runshellcommand`.
pub(crate) const NAMES: &[NameRow] = &[
    row("bash", "bash", ToolKind::Bash, "Claude Code, Pi, Codex hooks"),
    row("shell", "bash", ToolKind::Bash, "Codex"),
    row("localshell", "bash", ToolKind::Bash, "Codex"),
    row("shellcommand", "bash", ToolKind::Bash, "Codex"),
    row("containerexec", "bash", ToolKind::Bash, "Codex"),
    row("exec", "bash", ToolKind::Bash, "OpenClaw"),
    row("execcommand", "bash", ToolKind::Bash, "Codex"),
    row("execute", "bash", ToolKind::Bash, "deepagents"),
    row("executecommand", "bash", ToolKind::Bash, "Cline, Roo Code"),
    row("runcommand", "bash", ToolKind::Bash, "Windsurf"),
    row("runshellcommand", "bash", ToolKind::Bash, "Gemini CLI, Qwen Code"),
    row("runinterminal", "bash", ToolKind::Bash, "VS Code"),
    row("runterminalcmd", "bash", ToolKind::Bash, "Cursor"),
    row("runterminalcommand", "bash", ToolKind::Bash, "Cursor, VS Code"),
    row("terminal", "bash", ToolKind::Bash, "Hermes, Zed"),
    row("monitor", "bash", ToolKind::Bash, "Claude Code: runs a command and streams its output"),
    row("read", "read", ToolKind::Read, "Claude Code, Pi"),
    row("readfile", "read", ToolKind::Read, "Gemini CLI, Cursor, Cline"),
    row("readmanyfiles", "read", ToolKind::Read, "Gemini CLI"),
    row("viewimage", "read", ToolKind::Read, "Codex"),
    row("notebookread", "read", ToolKind::Read, "Claude Code"),
    row("view", "read", ToolKind::Read, "Crush"),
    row("write", "write", ToolKind::Write, "Claude Code, Pi"),
    row("writefile", "write", ToolKind::Write, "Gemini CLI, Qwen Code"),
    row("writetofile", "write", ToolKind::Write, "Cline, Roo Code"),
    row("createfile", "write", ToolKind::Write, "VS Code"),
    row("edit", "edit", ToolKind::Edit, "Claude Code, Pi, Qwen Code"),
    row("multiedit", "edit", ToolKind::Edit, "Claude Code"),
    row("editfile", "edit", ToolKind::Edit, "Cursor"),
    row("replace", "edit", ToolKind::Edit, "Gemini CLI"),
    row("replaceinfile", "edit", ToolKind::Edit, "Cline"),
    row("strreplace", "edit", ToolKind::Edit, "Cursor"),
    row("searchreplace", "edit", ToolKind::Edit, "Cursor"),
    row("applydiff", "edit", ToolKind::Edit, "Roo Code"),
    row("applypatch", "edit", ToolKind::Edit, "Codex, opencode"),
    row("patch", "edit", ToolKind::Edit, "opencode"),
    row("deletefile", "edit", ToolKind::Edit, "Cursor"),
    row("notebookedit", "notebook_edit", ToolKind::NotebookEdit, "Claude Code"),
    row("editnotebook", "notebook_edit", ToolKind::NotebookEdit, "Cursor"),
    row("grep", "grep", ToolKind::Grep, "Claude Code, Pi"),
    row("grepsearch", "grep", ToolKind::Grep, "Gemini CLI, Qwen Code, Cursor"),
    row("searchfilecontent", "grep", ToolKind::Grep, "Gemini CLI"),
    row("searchfiles", "grep", ToolKind::Grep, "Cline, Roo Code"),
    row("glob", "find", ToolKind::Find, "Claude Code, Gemini CLI"),
    row("find", "find", ToolKind::Find, "Pi"),
    row("filesearch", "find", ToolKind::Find, "Cursor"),
    row("globfilesearch", "find", ToolKind::Find, "Cursor"),
    row("ls", "ls", ToolKind::Ls, "Claude Code, Pi"),
    row("listdir", "ls", ToolKind::Ls, "Codex, Cursor"),
    row("listdirectory", "ls", ToolKind::Ls, "Gemini CLI"),
    row("listfiles", "ls", ToolKind::Ls, "Cline, Roo Code"),
    row("webfetch", "web_fetch", ToolKind::WebFetch, "Claude Code, Gemini CLI, opencode"),
    row("fetch", "web_fetch", ToolKind::WebFetch, "Crush"),
    row("websearch", "web_search", ToolKind::WebSearch, "Claude Code, Codex"),
    row("googlewebsearch", "web_search", ToolKind::WebSearch, "Gemini CLI"),
    row("task", "agent", ToolKind::Agent, "Claude Code before 2.1, opencode"),
    row("agent", "agent", ToolKind::Agent, "Claude Code"),
    row("subagent", "agent", ToolKind::Agent, "Pi"),
    row("spawnagent", "agent", ToolKind::Agent, "Codex"),
    row("workflow", "agent", ToolKind::Agent, "one-code"),
];

/// The key under which `name` stands in [`NAMES`].
pub(crate) fn key_of(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | '.')).flat_map(char::to_lowercase).collect()
}

/// The row of a host's tool name.
pub(crate) fn lookup(name: &str) -> Option<&'static NameRow> {
    let key = key_of(name);
    NAMES.iter().find(|row| row.host_name == key)
}

/// Arguments that hold a shell command: Claude Code, Pi and Gemini CLI say `command`, Codex `cmd`.
pub(crate) const COMMAND_KEYS: &[&str] = &["command", "cmd", "script", "commandLine", "CommandLine", "command_line"];

/// Arguments that move a shell command to another directory (Codex `workdir`, Gemini CLI `dir_path` and `directory`).
pub(crate) const WORKDIR_KEYS: &[&str] =
    &["workdir", "cwd", "dir_path", "directory", "working_directory", "workingDirectory"];

/// Arguments of file tools that hold a path.
pub(crate) const PATH_KEYS: &[&str] = &[
    "file_path",
    "path",
    "notebook_path",
    "absolute_path",
    "filePath",
    "file",
    "filename",
    "fileName",
    "target_file",
    "target_notebook",
    "dir_path",
    "directory",
    "target_directory",
    "relative_workspace_path",
    "DirectoryPath",
    "AbsolutePath",
    "paths",
    "file_paths",
    "files",
    "include",
];

/// Arguments that hold a patch in the `*** Begin Patch` form.
pub(crate) const PATCH_KEYS: &[&str] = &["input", "patch", "command", "patch_text", "patchText", "diff"];

/// Arguments of MCP and extension tools that are taken for paths by the end of their name, lower-case without `_` and `-`.
pub(crate) const LOOSE_PATH_ENDINGS: &[&str] = &[
    "path",
    "paths",
    "pathname",
    "file",
    "files",
    "filename",
    "filenames",
    "directory",
    "directories",
    "dir",
    "dirs",
    "dirname",
    "folder",
    "folders",
    "cwd",
];

/// Arguments that end so and are no paths.
pub(crate) const NO_PATH_KEYS: &[&str] = &["profile", "userprofile", "xpath", "jsonpath", "jmespath", "keypath"];

/// Arguments that are taken for paths where their value is short.
pub(crate) const LOOSE_PATH_KEYS: &[&str] =
    &["root", "source", "src", "destination", "dest", "target", "output", "input", "from", "to", "location", "uri"];

/// Words in an MCP tool's name that say it changes files.
pub(crate) const CHANGING_WORDS: &[&str] = &[
    "write", "edit", "create", "move", "delete", "remove", "rename", "update", "patch", "replace", "insert", "append",
    "save", "copy", "upload", "put", "modify", "mkdir", "truncate", "set", "add", "apply", "download",
];

/// Those of them that bring the content of a file to another place, where it can be read.
pub(crate) const COPYING_WORDS: &[&str] = &["copy", "move", "rename", "upload"];

/// Arguments that hold a URL.
pub(crate) const URL_KEYS: &[&str] = &["url", "uri", "urls", "link"];

#[cfg(test)]
mod tests {
    use super::{NAMES, key_of, lookup};

    #[test]
    fn every_name_is_a_key_and_stands_once() {
        for (index, row) in NAMES.iter().enumerate() {
            assert_eq!(key_of(row.host_name), row.host_name);
            assert!(!row.used_by.is_empty());
            assert_eq!(lookup(row.host_name).map(|found| found.canonical), Some(row.canonical), "{}", row.host_name);
            assert!(NAMES.iter().skip(index + 1).all(|other| other.host_name != row.host_name), "{}", row.host_name);
        }
    }
}
