//! Files that hold secrets. A hit blocks nothing by itself: it keeps a call out of the local allow and goes into the evidence.

use crate::glob;
use crate::resolve::{Base, ResolvedPath};
use crate::shape::Shape;
use crate::text::spellings;
use crate::wildcard::intersects;

mod table;

pub use table::SENSITIVE_ROWS;

/// A family of files that hold secrets.
#[derive(Debug)]
pub struct SensitiveRow {
    /// Stable id.
    pub id: &'static str,
    /// What such a file holds.
    pub reason: &'static str,
    /// Where it says so.
    pub source: &'static str,
    /// Row texts: `~/x` in anyone's home, `/x` from the root, `x` anywhere, a slash at the end for everything below.
    pub paths: &'static [&'static str],
    /// Row texts of files that hold none although they look so.
    pub except: &'static [&'static str],
}

impl SensitiveRow {
    fn covers(&self, path: &str, home: Option<&str>) -> bool {
        let any = |texts: &[&str]| texts.iter().any(|text| Shape::parse(text).matches(path, home));
        any(self.paths) && !any(self.except)
    }
}

/// The row that `path` belongs to, in any of its spellings; case never counts.
///
/// ```
/// use portcullis_paths::{Base, MemoryFs, resolve, sensitive};
/// let base = Base::new("/proj", Some("/home/dev"));
/// let id = |typed| sensitive(&resolve(&MemoryFs::new(), typed, &base).unwrap(), &base).map(|row| row.id);
/// assert_eq!(id(".env.local"), Some("dotenv"));
/// assert_eq!(id(".env.example"), None);
/// ```
pub fn sensitive(path: &ResolvedPath, base: &Base) -> Option<&'static SensitiveRow> {
    let spellings = spellings(path, base);
    let home = base.folded_home();
    SENSITIVE_ROWS.iter().find(|row| spellings.iter().any(|spelling| row.covers(spelling, home.as_deref())))
}

/// The row that a name may belong to which an operand with wildcards could expand to. As in
/// [`DeniedPaths::glob_may_match`](crate::DeniedPaths::glob_may_match), hidden names need a written dot.
pub fn glob_may_be_sensitive(absolute_glob: &str, base: &Base) -> Option<&'static SensitiveRow> {
    let operand = glob::tokens(absolute_glob);
    let home = base.folded_home();
    let meets =
        |text: &&str| Shape::parse(text).languages(home.as_deref()).iter().any(|words| intersects(&operand, words));
    SENSITIVE_ROWS.iter().find(|row| row.paths.iter().any(&meets))
}
