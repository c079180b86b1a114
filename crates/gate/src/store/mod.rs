//! What sessions remember, the log and the trust list, in files below one directory that the caller names.
//!
//! INVARIANT 8: nothing here decides. A directory that can't be written, a lock that stays busy or a file that makes no sense costs
//! a count or a line of log, never a verdict.

mod files;
mod log;
mod sessions;
mod trust;

pub use log::FsLog;
pub use sessions::FsState;
pub use trust::{TrustError, TrustStore};
