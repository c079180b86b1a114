//! What one classification is about.

use serde_json::Value;

use crate::ActionJson;

/// One action and everything that may be weighed with it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The exact action, whole.
    pub action: ActionJson,
    /// What deterministic analysis found.
    pub evidence: Evidence,
    /// Project instruction files that the agent has loaded.
    pub instructions: Vec<Instructions>,
    /// What the user typed and what tools the agent called, oldest first.
    pub transcript: Vec<Entry>,
    /// Why this call was not decided without a model.
    pub route_reason: String,
}

impl Case {
    /// A case with nothing but an action.
    pub fn new(action: ActionJson) -> Self {
        Self {
            action,
            evidence: Evidence::default(),
            instructions: Vec::new(),
            transcript: Vec::new(),
            route_reason: String::new(),
        }
    }
}

/// One project instruction file. It informs; it authorises nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instructions {
    /// Its path, shown above it.
    pub path: String,
    /// Its text. Long ones are cut in the middle.
    pub text: String,
}

/// One entry of the conversation. Assistant prose, thinking and tool results have no variant: they never reach the model.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Text that a person typed. Messages that a host injects under the user's role are not user text: leave them out.
    User(String),
    /// A tool call by the agent.
    Tool {
        /// The tool's name.
        name: String,
        /// Its input.
        input: Value,
    },
}

/// Findings of deterministic analysis, in titled sections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// In the order in which they are shown.
    pub sections: Vec<Section>,
}

/// One titled list of findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// A fixed heading such as `commands` or `opaque parts`: written by a program, never taken from input.
    pub title: &'static str,
    /// One finding each. May quote input: each is shown as a one-line JSON string.
    pub items: Vec<String>,
}

impl Evidence {
    /// Adds a section. An empty one is left out.
    #[must_use]
    pub fn with<I>(mut self, title: &'static str, items: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let items: Vec<String> = items.into_iter().map(Into::into).collect();
        if !items.is_empty() {
            self.sections.push(Section { title, items });
        }
        self
    }
}
