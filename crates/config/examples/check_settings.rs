//! Prints what is wrong with a settings file: `cargo run --example check_settings -- FILE`.
#![expect(clippy::print_stdout, reason = "an example program speaks to a person")]

use portcullis_config::check_text;

fn main() -> Result<(), std::io::Error> {
    let Some(file) = std::env::args_os().nth(1) else {
        println!("which file?");
        return Ok(());
    };
    for finding in check_text(&std::fs::read_to_string(file)?) {
        let line = finding.line.map(|line| format!("line {line}: ")).unwrap_or_default();
        println!("{line}{}: {}", finding.severity.name(), finding.message);
        if let Some(hint) = finding.hint {
            println!("  {hint}");
        }
    }
    Ok(())
}
