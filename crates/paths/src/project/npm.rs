//! npm: the project's `.npmrc`.

use std::path::Path;

use super::keys::NPM_KEYS;
use super::{Text, read_text};
use crate::fs::FileSystem;
use crate::resolve::Base;

/// Why an npm, pnpm or yarn command in the absolute, resolved directory `dir` could run a program of the project's choice, by the
/// `.npmrc` of `dir` or of a directory above it (workspaces), up to and without home. Scripts of `package.json` are the caller's
/// to judge.
pub fn npm_config_runs_code(fs: &dyn FileSystem, dir: &Path, base: &Base) -> Option<String> {
    let home = base.home.as_deref();
    let places = dir.ancestors().take_while(|place| Some(*place) != home);
    let mut files = places.flat_map(|place| [place.join(".npmrc"), place.join(".yarnrc")]);
    files.find_map(|file| match read_text(fs, &file) {
        Text::Missing => None,
        Text::Unknown(why) => Some(why),
        Text::Here(text) => text.lines().find_map(danger).map(|why| format!("`{}` sets {why}", file.display())),
    })
}

/// ini(5): `key = value`, `key[] = value`, or yarn's `key value`; quotes around a key are dropped.
fn danger(line: &str) -> Option<String> {
    let line = line.trim();
    if line.starts_with(['#', ';']) {
        return None;
    }
    let end = line.find(['=', ' ', '\t', '[']).unwrap_or(line.len());
    let key =
        line.get(..end)?.trim().trim_matches(['"', '\'']).trim_start_matches("--").to_lowercase().replace('_', "-");
    NPM_KEYS.iter().find(|(name, _)| *name == key).map(|(name, does)| format!("{name}, which {does}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryFs;

    #[test]
    fn keys_that_name_programs_are_reported() {
        let base = Base::new("/home/dev/p", Some("/home/dev"));
        for (file, text, reported) in [
            ("/home/dev/p/.npmrc", "registry=https://x\n//x/:_authToken=${T}\n", false),
            ("/home/dev/p/.npmrc", "node-options=--require ./x.js", true),
            ("/home/dev/p/.npmrc", "  script-shell = ./x", true),
            ("/home/dev/p/.npmrc", "SCRIPT_SHELL=x", true),
            ("/home/dev/p/.npmrc", "\"git\" = ./x", true),
            ("/home/dev/p/.npmrc", "# git = ./x", false),
            ("/home/dev/p/.npmrc", "git-tag-version=false", false),
            ("/home/dev/p/.yarnrc", "yarn-path \"./x.js\"", true),
            ("/home/dev/.npmrc", "script-shell=/bin/zsh", false),
        ] {
            let fs = MemoryFs::new().file_with(file, text);
            let found = npm_config_runs_code(&fs, Path::new("/home/dev/p/pkg"), &base);
            assert_eq!(found.is_some(), reported, "{file} {text:?}: {found:?}");
        }
    }
}
