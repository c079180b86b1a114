//! Protocols: which questions are asked, and how strictly answers are read.

mod decision;
pub(crate) mod staged;
