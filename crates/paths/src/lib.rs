//! Path resolution through symlinks, and the denied, protected, sensitive and floor path tables.

mod denied;
mod expand;
mod floor;
mod fs;
mod inside;
mod memory;
mod portable;
mod project;
mod protected;
mod resolve;
mod roots;
mod sensitive;
mod text;

pub use denied::{DeniedPaths, PathPattern, PatternProblem};
pub use floor::{ControlFiles, FloorHit, FloorRow, floor_target, floor_tree};
pub use fs::{FileSystem, Node, NodeKind, RealFs};
pub use inside::{inside, working_tree_problem};
pub use memory::MemoryFs;
pub use portable::PortablePath;
pub use project::{cargo_config_runs_code, git_config_runs_code, npm_config_runs_code};
pub use protected::ProtectedPaths;
pub use resolve::{Base, ResolveError, ResolvedPath, resolve};
pub use roots::{Root, glob_hits_root, root_kind};
pub use sensitive::{SensitiveRow, glob_may_be_sensitive, sensitive};
