//! Prints what a script given as argument would run: `cargo run --example explain -- 'sudo rm -rf "$X"'`.

#![expect(clippy::print_stdout, reason = "an example that prints")]

fn main() {
    let script = std::env::args().nth(1).unwrap_or_else(|| "cd src && sudo rm -rf \"$DIR\" | tee log".to_owned());
    let analysis = portcullis_shell_ast::analyze(&script);
    println!("{analysis}skeleton: {}", analysis.skeleton);
}
