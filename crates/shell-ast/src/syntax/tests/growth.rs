//! Work grows linearly with the input, and no input reaches beyond the nesting cap.

use crate::{
    Limit, Limits,
    syntax::{Parsed, parse},
};

fn work(script: &str) -> (usize, Parsed) {
    let parsed = parse(script, &Limits::default());
    (parsed.steps, parsed)
}

/// `head`, then `unit` repeated, then `tail` repeated.
fn repeated((head, unit, middle, tail): (&str, &str, &str, &str), count: usize) -> String {
    format!("{head}{}{middle}{}", unit.repeat(count), tail.repeat(count))
}

const SHAPES: [(&str, &str, &str, &str); 40] = [
    ("", "a;", "", ""),
    ("", "a|", "a", ""),
    ("", "a&", "", ""),
    ("", "a && ", "a", ""),
    ("", "echo hello world\n", "", ""),
    ("echo ", "a'b'\"c\"", "", ""),
    ("echo ", "\\\n", "", ""),
    ("cat ", "<<E ", "", ""),
    ("cat ", "<<E ", "\n", "x\nE\n"),
    ("", "cat <<E\n$x\nE\n", "", ""),
    ("", "cat <<-E\n\t$x\n\tE\n", "", ""),
    ("cat <<E\n", "$(a)", "\nE\n", ""),
    ("cat <<E\n", "\\\n", "$(a)\nE\n", ""),
    ("", "(", "a", ")"),
    ("", "((", "a", "))"),
    ("", "((", "a", ") )"),
    ("", "( ( ", "a", " ) )"),
    ("", "((", "", ""),
    ("", "( ( (", "", ""),
    ("", "$((", "", ") )"),
    ("echo ", "$(( ", "1", " ))"),
    ("echo ", "$((1)) ", "", ""),
    ("echo ", "$((a);b) ", "", ""),
    ("echo ", "$[1] ", "", ""),
    ("echo ", "${a[", "1", "]}"),
    ("echo ", "${a[", "", ""),
    ("echo ", "${x:-", "", "}"),
    ("echo ", "\"${x:-", "", "}\""),
    ("echo ", "\"$(echo ", "", ")\""),
    ("", "case a in a) ", "", ""),
    ("", "case a in a) a;; esac;", "", ""),
    ("", "if a; then ", "a", "; fi"),
    ("", "f() { ", "a", "; }"),
    ("", "\"$(cat <<'E' \n\"\nE\n)\" ", "", ""),
    ("[[ ", "( ", "a", " )"),
    ("[[ ", "! ", "a ]]", ""),
    ("[[ x =~ ", "(", "", ")"),
    ("echo ", "`", "", ""),
    ("echo ", "<(", "a", ")"),
    ("echo ", "{", "", ""),
];

#[test]
fn twice_the_text_is_at_most_about_twice_the_work() {
    for shape in SHAPES {
        for count in [8, 100, 1000, 4000] {
            let (once, _) = work(&repeated(shape, count));
            let (twice, _) = work(&repeated(shape, count * 2));
            assert!(twice <= once * 5 / 2 + 4000, "{shape:?}: {count} takes {once}, twice as many {twice}");
        }
    }
}

#[test]
fn work_per_byte_is_bounded_also_near_the_nesting_cap() {
    for shape in SHAPES {
        for count in [4, 10, 15, 31, 33, 2000] {
            let script = repeated(shape, count);
            let (steps, _) = work(&script);
            // Each level may look once more for its end: at most the cap times the length, plus what a word costs.
            assert!(steps <= 80 * script.len() + 400, "{shape:?} x {count}: {steps} steps for {} bytes", script.len());
        }
    }
}

#[test]
fn nesting_beyond_the_cap_is_an_error_that_names_the_limit() {
    for shape in [
        ("", "( ", "a", " )"),
        ("", "{ ", "a", "; }"),
        ("", "$(", "a", ")"),
        ("", "<(", "a", ")"),
        ("", "if ", "a", "; then b; fi"),
        ("", "while ", "a", "; do b; done"),
        ("", "case a in a) ", "a", ";; esac"),
        ("", "f() { ", "a", "; }"),
        ("", "coproc { ", "a", "; }"),
        ("echo ", "${x:-", "a", "}"),
        ("echo ", "${a[", "1", "]}"),
        ("echo ", "$((", "1", "))"),
        ("echo ", "$[", "1", "]"),
        ("[[ ", "( ", "a", " ) ]]"),
        ("echo ", "\"$(echo ", "a", ")\""),
    ] {
        for count in [33, 40, 5000, 20_000] {
            let script = repeated(shape, count);
            let parsed = parse(&script, &Limits::default());
            assert!(parsed.error.is_some(), "{shape:?} x {count}");
            assert_eq!(parsed.limits, [Limit::Depth], "{shape:?} x {count}");
        }
    }
}

#[test]
fn fifteen_levels_of_anything_are_read() {
    for shape in [
        ("", "( ", "a", " )"),
        ("", "{ ", "a", "; }"),
        ("", "if ", "a", "; then b; fi"),
        ("echo ", "$(echo ", "a", ")"),
        ("echo ", "\"$(echo ", "a", ")\""),
    ] {
        let script = repeated(shape, 15);
        assert_eq!(parse(&script, &Limits::default()).error, None, "{shape:?}");
    }
}

#[test]
fn the_deepest_accepted_nesting_fits_a_small_stack() {
    let scripts: Vec<String> = SHAPES.iter().map(|&shape| repeated(shape, 31)).collect();
    let thread = std::thread::Builder::new().stack_size(1024 * 1024).spawn(move || {
        for script in scripts {
            drop(parse(&script, &Limits::default()));
        }
    });
    thread.expect("spawn").join().expect("no overflow");
}

#[test]
fn work_beyond_the_limit_is_an_error_that_names_it() {
    let limits = Limits { max_work: 100, ..Limits::default() };
    let parsed = parse(&"a;".repeat(200), &limits);
    assert_eq!(parsed.limits, [Limit::Work]);
    assert!(parsed.error.is_some());
}

#[test]
fn a_script_beyond_the_size_limit_is_an_error_that_names_it() {
    let limits = Limits { max_len: 10, ..Limits::default() };
    assert_eq!(parse("echo 3456789", &limits).limits, [Limit::Size]);
    assert_eq!(parse("echo éèéèé", &limits).limits, []);
}
