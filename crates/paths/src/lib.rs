//! Where a path leads, and what it is: denied, protected, sensitive, the floor's, a root.
//!
//! A gate that compares paths by their text is fooled by a link, by `..` after a link, by a second spelling of the home directory
//! or by a name in the other case. This crate therefore walks every path as the kernel would, with [`resolve()`], and keeps all
//! forms in a [`ResolvedPath`]. Two directions of comparison follow from that, and they differ on purpose:
//!
//! - **What restricts** ([`DeniedPaths`], [`ProtectedPaths`], [`sensitive()`], [`floor_target`], [`root_kind`]) looks at every
//!   spelling of a path, typed and resolved, Windows' and macOS' ones included, always without case. Too much is harmless.
//! - **What allows** ([`inside()`]) looks at the resolved form only, exactly.
//!
//! The tables are data: rows with an id, a reason and a source, in a small language that `shape` explains. `*` in `deniedPaths`
//! matches `/` too, as the original does. An operand that still holds wildcards is compared as a language
//! ([`absolute_globs`], [`DeniedPaths::glob_may_match`]): if any of its words could be meant, that counts.
//!
//! Disk access goes through [`FileSystem`], which can look and read but never lists or writes. The crate has no state, reads no
//! environment and no clock. Between a decision and the use of a path the disk may change; nothing outside the kernel can close
//! that window, so the resolved path belongs in the verdict.
//!
//! The functions named `…_config_runs_code` tell whether a project's own configuration makes a reading command of git, cargo or
//! npm run a program.

mod denied;
mod expand;
mod floor;
mod fs;
mod glob;
mod inside;
mod memory;
mod portable;
mod project;
mod protected;
mod resolve;
mod roots;
mod sensitive;
mod shape;
mod text;
mod wildcard;

pub use denied::{DeniedPaths, PathPattern, PatternProblem};
pub use floor::{ControlFiles, Covers, FLOOR_ROWS, FloorHit, FloorRow, LocatedFile, floor_target, floor_tree};
pub use fs::{FileSystem, Node, NodeKind, RealFs};
pub use glob::absolute_globs;
pub use inside::{inside, inside_on, working_tree_problem};
pub use memory::MemoryFs;
pub use portable::PortablePath;
pub use project::{cargo_config_runs_code, git_config_runs_code, npm_config_runs_code};
pub use protected::ProtectedPaths;
pub use resolve::{Base, ResolveError, ResolvedPath, resolve};
pub use roots::{Root, glob_hits_root, root_kind};
pub use sensitive::{SENSITIVE_ROWS, SensitiveRow, glob_may_be_sensitive, sensitive};
