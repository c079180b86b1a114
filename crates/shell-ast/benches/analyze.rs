//! Both parsers and the comparison, on typical commands and on shapes that grow.

use divan::{Bencher, black_box};
use portcullis_shell_ast::analyze;

fn main() {
    divan::main();
}

const TYPICAL: &[&str] = &[
    "git status --short",
    "cargo test -p shell-ast --lib 2>&1 | tail -20",
    "cd src && rg -n 'fn main' --type rust | head -20",
    "for f in *.rs; do wc -l \"$f\"; done",
    "git log --oneline -10 && git diff --stat HEAD~1",
    "find . -name '*.py' -not -path './venv/*' -exec grep -l TODO {} +",
    "bash -lc \"npm run build && ls -la dist\"",
    "test -f Cargo.toml && sed -n '1,40p' Cargo.toml || echo missing",
];

#[divan::bench(args = TYPICAL)]
fn typical(bencher: Bencher, script: &str) {
    bencher.bench(|| analyze(black_box(script)));
}

#[divan::bench(args = [1_000, 10_000])]
fn list(bencher: Bencher, n: usize) {
    let script = "a b;".repeat(n);
    bencher.bench(|| analyze(black_box(&script)));
}

#[divan::bench(args = [100, 1_000])]
fn pipeline(bencher: Bencher, n: usize) {
    let script = "a b |".repeat(n) + "c";
    bencher.bench(|| analyze(black_box(&script)));
}

#[divan::bench(args = [64 * 1024, 1024 * 1024])]
fn quoted(bencher: Bencher, n: usize) {
    let script = format!("echo '{}'", "x".repeat(n));
    bencher.bench(|| analyze(black_box(&script)));
}
