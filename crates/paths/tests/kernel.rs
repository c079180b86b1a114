//! The walk of `resolve` against the kernel's own, on random trees of directories, files and links.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use portcullis_paths::{Base, RealFs, ResolveError, resolve};
use proptest::prelude::*;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn relative() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "d", "..", ".", "a/b"]), 1..6)
        .prop_map(|parts| parts.join("/"))
}

#[derive(Clone, Debug)]
enum Make {
    Dir(String),
    File(String),
    Link(String, String),
    AbsoluteLink(String, String),
}

fn make() -> impl Strategy<Value = Make> {
    let place = || prop::collection::vec(prop::sample::select(NAMES.to_vec()), 1..4).prop_map(|parts| parts.join("/"));
    prop_oneof![
        place().prop_map(Make::Dir),
        place().prop_map(Make::File),
        (place(), relative()).prop_map(|(at, to)| Make::Link(at, to)),
        (place(), relative()).prop_map(|(at, to)| Make::AbsoluteLink(at, to)),
    ]
}

/// Builds what can be built; what stands in the way is left as it is.
fn build(root: &Path, steps: &[Make]) {
    for step in steps {
        let _ = match step {
            Make::Dir(at) => fs::create_dir_all(root.join(at)),
            Make::File(at) => fs::OpenOptions::new().write(true).create_new(true).open(root.join(at)).map(|_| ()),
            Make::Link(at, to) => symlink(to, root.join(at)),
            Make::AbsoluteLink(at, to) => symlink(root.join(to), root.join(at)),
        };
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_existing_path_resolves_to_what_the_kernel_opens(steps in prop::collection::vec(make(), 1..14), typed in relative()) {
        let temp = tempfile::tempdir().unwrap();
        // Deep enough that no `..` of the rows leaves the temporary directory.
        let root = fs::canonicalize(temp.path()).unwrap().join("1/2/3/4/5/6/7/8/9/10/11/12");
        fs::create_dir_all(&root).unwrap();
        build(&root, &steps);
        let base = Base::new(root.clone(), None);
        let ours = resolve(&RealFs, &typed, &base);
        match fs::canonicalize(root.join(&typed)) {
            Ok(real) => {
                let ours = ours.unwrap();
                prop_assert_eq!(&ours.resolved, &real);
                prop_assert!(ours.node.is_some());
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                // The kernel gives up at the first missing name; a loop may still come after it.
                prop_assert!(matches!(ours, Ok(_) | Err(ResolveError::LinkLoop)));
            }
            Err(_) => {}
        }
    }

    #[test]
    fn a_write_lands_where_the_path_resolved_to(steps in prop::collection::vec(make(), 1..14), typed in relative()) {
        let temp = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(temp.path()).unwrap().join("1/2/3/4/5/6/7/8/9/10/11/12");
        fs::create_dir_all(&root).unwrap();
        build(&root, &steps);
        let ours = resolve(&RealFs, &typed, &Base::new(root.clone(), None));
        let opened = fs::OpenOptions::new().write(true).create(true).truncate(false).open(root.join(&typed));
        if opened.is_ok() {
            // What was created is now there, so the kernel can name it.
            let real = fs::canonicalize(root.join(&typed)).unwrap();
            prop_assert_eq!(ours.unwrap().resolved, real);
        }
    }
}

#[test]
fn what_cannot_be_known_is_an_error() {
    let base = Base::new("/", Some("/home/dev"));
    let temp = tempfile::tempdir().unwrap();
    symlink("loop", temp.path().join("loop")).unwrap();
    let looped = temp.path().join("loop/x").to_string_lossy().into_owned();
    let long = "a/".repeat(2100);
    let name = "n".repeat(256);
    let error = |typed: &str| resolve(&RealFs, typed, &base).map(|path| path.resolved).unwrap_err();
    assert_eq!(error(&looped), ResolveError::LinkLoop);
    assert_eq!(error("a\0b"), ResolveError::Nul);
    assert_eq!(error(""), ResolveError::Empty);
    assert_eq!(error(&long), ResolveError::TooLong);
    assert_eq!(error(&name), ResolveError::TooLong);
    assert_eq!(error("~nobody-here/x"), ResolveError::UnknownHome { user: "nobody-here".to_owned() });
    assert!(matches!(error("file://example.org/x"), ResolveError::NotLocal { .. }));
    assert!(matches!(error("file:///a%zz"), ResolveError::NotLocal { .. }));
    for other in
        ["/proc/1/root/etc", "/proc/1/cwd", "/proc/self/fd/3", "/dev/fd/9", "/proc/self/task/1/fd/7", "/proc/42/exe"]
    {
        assert!(matches!(error(other), ResolveError::OtherProcess { .. }), "{other}");
    }
    for harmless in
        ["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/2", "/proc/self/fd/1", "/proc/cpuinfo"]
    {
        assert!(resolve(&RealFs, harmless, &base).is_ok(), "{harmless}");
    }
}

#[test]
fn reading_is_bounded_and_never_waits() {
    use portcullis_paths::FileSystem;
    let temp = tempfile::tempdir().unwrap();
    fs::write(temp.path().join("f"), "abcdef").unwrap();
    assert_eq!(RealFs.read(&temp.path().join("f"), 3).unwrap().unwrap(), b"abc");
    assert_eq!(RealFs.read(&temp.path().join("missing"), 3).unwrap(), None);
    assert_eq!(RealFs.read(&temp.path().join("f/x"), 3).unwrap(), None);
    assert!(RealFs.read(temp.path(), 3).is_err());
    assert!(RealFs.read("/dev/zero".as_ref(), 3).is_err());
}
