//! The rules that the classifier weighs.

/// The four prose rule lists. Plain values: where they come from is the caller's business.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Facts about what is trusted here. They inform; they allow nothing by themselves.
    pub environment: Vec<String>,
    /// Exceptions to soft-deny rules.
    pub allow: Vec<String>,
    /// Blocks unless an exception or the user's own words cover the action.
    pub soft_deny: Vec<String>,
    /// Blocks, whatever anybody says.
    pub hard_deny: Vec<String>,
}
