//! Where a path ends up, and what speaks against touching it.
//!
//! `cargo run -p portcullis-paths --example where_does_it_end -- PATH`

use std::io::Write;

use portcullis_paths::{Base, ControlFiles, RealFs, floor_target, resolve, root_kind, sensitive};

fn main() -> std::io::Result<()> {
    let typed = std::env::args().nth(1).unwrap_or_else(|| "~/.bashrc".to_owned());
    let home = std::env::home_dir();
    let base = Base::new(std::env::current_dir()?, home.as_deref().and_then(|home| home.to_str()));
    let mut out = std::io::stdout();
    let path = match resolve(&RealFs, &typed, &base) {
        Ok(path) => path,
        Err(error) => return writeln!(out, "{typed}: {error}"),
    };
    writeln!(out, "{typed} is {}", path.resolved.display())?;
    if let Some(row) = sensitive(&path, &base) {
        writeln!(out, "sensitive: {}", row.reason)?;
    }
    if let Some(hit) = floor_target(&path, &base, &ControlFiles::default()) {
        writeln!(out, "never written: {}", hit.reason)?;
    }
    if let Some(root) = root_kind(&path, &base) {
        writeln!(out, "never deleted: {root:?}")?;
    }
    Ok(())
}
