//! The gate's own read-only tool, told by its verified origin and not by its name.

use super::{Context, Found, Grounds};
use crate::ToolOrigin;

pub(super) fn look(context: &Context<'_>) -> Found {
    match context.session.tool_origin {
        ToolOrigin::Other => Found::Silent,
        ToolOrigin::GateInspect => Found::Allow(Grounds::new("The gate's own inspection tool.")),
    }
}
