//! cargo: `.cargo/config.toml` and `rust-toolchain.toml`.

use std::path::Path;

use super::keys::CARGO_KEYS;
use super::{Text, read_text};
use crate::fs::FileSystem;
use crate::resolve::Base;

/// Why a reading cargo command (`metadata`, `tree`) in the absolute, resolved directory `dir` could run a program of the project's
/// choice; `None` if it can't. Looks at `dir` and above, up to and without home, whose configuration is the user's own.
///
/// The scan is by line and knows no nesting: any line with such a key is reported, whatever table it stands in. `build`, `test`
/// and `check` run build scripts anyhow and are not for this.
pub fn cargo_config_runs_code(fs: &dyn FileSystem, dir: &Path, base: &Base) -> Option<String> {
    let home = base.home.as_deref();
    for place in dir.ancestors().take_while(|place| Some(*place) != home) {
        for name in [".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"] {
            let file = place.join(name);
            let why = match read_text(fs, &file) {
                Text::Missing => None,
                Text::Unknown(why) => Some(why),
                Text::Here(text) => {
                    let why = if name.starts_with(".cargo") { config_danger(&text) } else { toolchain_danger(&text) };
                    why.map(|why| format!("`{}` sets {why}", file.display()))
                }
            };
            if why.is_some() {
                return why;
            }
        }
    }
    None
}

fn config_danger(text: &str) -> Option<String> {
    // Multi-line strings and escapes in keys could hide a key from a scan by line.
    if text.contains("\"\"\"") || text.contains("'''") || text.contains('\\') {
        return Some("something in a form that is not checked".to_owned());
    }
    text.lines().flat_map(words).find_map(|word| {
        let word = word.to_lowercase().replace('_', "-");
        CARGO_KEYS.iter().find(|(key, _)| *key == word).map(|(key, does)| format!("{key}, which {does}"))
    })
}

/// The words of a line that may be keys: those before its last `=`, all of a table's header, nothing of a comment.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let line = line.trim_start();
    let keys = if line.starts_with('#') {
        ""
    } else if line.starts_with('[') {
        line
    } else {
        line.rsplit_once('=').map_or("", |(keys, _)| keys)
    };
    keys.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).filter(|word| !word.is_empty())
}

/// A toolchain at a path is a cargo of the project's own (rustup book, "Overrides").
fn toolchain_danger(text: &str) -> Option<String> {
    let by_path = text.lines().any(|line| line.trim_start().trim_start_matches(['"', '\'']).starts_with("path"))
        || text.contains(['/', '\\'])
        || text.split(['{', ',', '.']).any(|part| part.trim_start().starts_with("path"));
    by_path.then(|| "a toolchain by path, whose cargo would run".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryFs;

    #[test]
    fn keys_that_name_programs_are_reported() {
        let base = Base::new("/home/dev/p", Some("/home/dev"));
        let config = "/home/dev/p/.cargo/config.toml";
        for (file, text, reported) in [
            (config, "[net]\noffline = true\n[alias]\nb = \"build\"\n", false),
            (config, "[build]\njobs = 2 # rustc = x", true),
            (config, "# rustc = \"x\"\n[build]\njobs = 2\n", false),
            (config, "[build]\nrustc = \"./x\"\n", true),
            (config, "build.rustc-wrapper = \"./x\"\n", true),
            (config, "build = { jobs = 1, \"rustc\" = \"./x\" }\n", true),
            (config, "[build]\nrustc_wrapper = 'x'\n", true),
            (config, "[env]\nA = \"b\"\n", true),
            (config, "[registry]\ncredential-provider = \"x\"\n", true),
            (config, "[build]\n\"r\\u0075stc\" = \"x\"\n", true),
            (config, "[profile.dev]\ndebug = 1\n", false),
            ("/home/dev/p/.cargo/config", "build.rustc = 'x'", true),
            ("/home/dev/p/rust-toolchain.toml", "[toolchain]\nchannel = \"1.89\"\n", false),
            ("/home/dev/p/rust-toolchain.toml", "[toolchain]\npath = \"x\"\n", true),
            ("/home/dev/p/rust-toolchain.toml", "toolchain = { path = \"x\" }\n", true),
            ("/home/dev/p/rust-toolchain", "stable\n", false),
            ("/home/dev/p/rust-toolchain", "/opt/x\n", true),
            ("/home/dev/.cargo/config.toml", "[build]\nrustc = 'mine'\n", false),
        ] {
            let fs = MemoryFs::new().file_with(file, text);
            let found = cargo_config_runs_code(&fs, Path::new("/home/dev/p/crates/a"), &base);
            assert_eq!(found.is_some(), reported, "{file} {text:?}: {found:?}");
        }
    }
}
