//! Reasoning levels: asked for by the user, clamped to what a model takes.

use serde::{Deserialize, Serialize};

/// How hard a model should think before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReasoningLevel {
    /// The least.
    Low,
    /// More.
    Medium,
    /// Much.
    High,
    /// Very much.
    Xhigh,
    /// All the model has.
    Max,
}

impl ReasoningLevel {
    /// All levels, lowest first.
    pub const ALL: &'static [Self] = &[Self::Low, Self::Medium, Self::High, Self::Xhigh, Self::Max];

    /// Its name in configuration and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Xhigh => "xhigh",
            Self::Max => "max",
        }
    }

    /// The nearest of the `supported` levels, the lower of two equally near ones; `None` (off) where there are none.
    pub fn clamp_to(self, supported: &[Self]) -> Option<Self> {
        let distance = |level: Self| (self as u8).abs_diff(level as u8);
        supported.iter().copied().min_by_key(|level| (distance(*level), *level))
    }
}

/// What was asked of a model's reasoning, for the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "mode")]
pub enum ReasoningUse {
    /// Nothing was sent: the provider's default applies.
    ServerDefault,
    /// A level was configured.
    Explicit {
        /// The configured level.
        requested: ReasoningLevel,
        /// The level that was sent; `None` where the model has no reasoning.
        effective: Option<ReasoningLevel>,
    },
}

impl ReasoningUse {
    /// What a configured level comes to for a model that takes `supported`.
    pub fn resolve(requested: Option<ReasoningLevel>, supported: &[ReasoningLevel]) -> Self {
        requested.map_or(Self::ServerDefault, |requested| Self::Explicit {
            requested,
            effective: requested.clamp_to(supported),
        })
    }

    /// The level to send.
    pub fn effective(self) -> Option<ReasoningLevel> {
        match self {
            Self::ServerDefault => None,
            Self::Explicit { effective, .. } => effective,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ReasoningLevel::*, *};

    #[test]
    fn levels_are_clamped_to_the_nearest() {
        for (asked, supported, sent) in [
            (High, ReasoningLevel::ALL, Some(High)),
            (Max, &[Low, Medium, High][..], Some(High)),
            (Low, &[High, Max][..], Some(High)),
            (Medium, &[Low, High][..], Some(Low)),
            (Medium, &[High, Low][..], Some(Low)),
            (Low, &[][..], None),
        ] {
            assert_eq!(asked.clamp_to(supported), sent, "{asked:?} of {supported:?}");
        }
    }

    #[test]
    fn an_absent_level_sends_nothing() {
        assert_eq!(ReasoningUse::resolve(None, ReasoningLevel::ALL).effective(), None);
    }
}
