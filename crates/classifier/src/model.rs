//! Which models are tried, in which order, and what a session remembers of them.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A model's name as `provider/model`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ModelId(String);

impl ModelId {
    /// Wraps a `provider/model` name. Any text will do: it is a label, compared byte for byte.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The whole name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A model that proved unusable in this session, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAside {
    /// The model.
    pub model: ModelId,
    /// For people: one line.
    pub reason: String,
}

/// What a session remembers of its models. A plain value: whoever keeps the session's state stores it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ModelState {
    /// The model that answered, tried first from then on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pinned: Option<ModelId>,
    /// Models not tried again in this session, in the order in which they failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<SetAside>,
}

/// One thing that a classification learned about a model.
///
/// Changes are handed out instead of a new state, so that processes that share a session can apply them to the latest state under
/// a lock and lose nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ModelChange {
    /// It answered in the required form: pin it.
    Pinned(ModelId),
    /// It is unusable: set it aside and tell the user once.
    SetAside(SetAside),
}

impl ModelState {
    /// Whether the model was set aside.
    pub fn is_set_aside(&self, model: &ModelId) -> bool {
        self.set_aside.iter().any(|row| &row.model == model)
    }

    /// The positions of the models to try, in order: the pinned one first, then as listed, without those set aside.
    ///
    /// A pinned model that is no longer listed is ignored: a withdrawn model must not hold up a session.
    pub fn order(&self, listed: &[ModelId]) -> Vec<usize> {
        let is_pinned = |model: &ModelId| self.pinned.as_ref() == Some(model);
        let usable = || listed.iter().enumerate().filter(|(_, model)| !self.is_set_aside(model));
        let pinned = usable().filter(|(_, model)| is_pinned(model));
        let others = usable().filter(|(_, model)| !is_pinned(model));
        pinned.chain(others).map(|(position, _)| position).collect()
    }

    /// Applies a change. Returns whether anything changed, so that a notice is shown once however many processes report it.
    pub fn apply(&mut self, change: &ModelChange) -> bool {
        match change {
            ModelChange::Pinned(model) => {
                let news = self.pinned.as_ref() != Some(model) && !self.is_set_aside(model);
                if news {
                    self.pinned = Some(model.clone());
                }
                news
            }
            ModelChange::SetAside(row) => {
                if self.pinned.as_ref() == Some(&row.model) {
                    self.pinned = None;
                }
                let news = !self.is_set_aside(&row.model);
                if news {
                    self.set_aside.push(row.clone());
                }
                news
            }
        }
    }
}

/// A stable cache key for one session: `portcullis-` and 32 hex digits, which tell a provider nothing of the session itself.
///
/// `parts` are whatever names the session, such as its id and working directory.
pub fn session_cache_key(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let hex = hash.finalize().iter().take(16).fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    format!("portcullis-{hex}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> ModelId {
        ModelId::new(text)
    }

    fn aside(text: &str) -> ModelChange {
        ModelChange::SetAside(SetAside { model: id(text), reason: "404".into() })
    }

    #[test]
    fn pinned_goes_first_and_set_aside_never_goes() {
        let listed = [id("p/a"), id("p/b"), id("p/c")];
        let mut state = ModelState::default();
        assert_eq!(state.order(&listed), [0, 1, 2]);
        assert!(state.apply(&ModelChange::Pinned(id("p/b"))));
        assert_eq!(state.order(&listed), [1, 0, 2]);
        assert!(state.apply(&aside("p/a")));
        assert_eq!(state.order(&listed), [1, 2]);
        assert!(state.apply(&aside("p/b")), "a pinned model can fail later");
        assert_eq!((state.order(&listed), state.pinned.clone()), (vec![2], None));
        assert!(!state.apply(&ModelChange::Pinned(id("p/b"))), "a late report does not bring it back");
        state.apply(&aside("p/c"));
        assert!(state.order(&listed).is_empty());
    }

    #[test]
    fn a_withdrawn_pinned_model_is_ignored() {
        let state = ModelState { pinned: Some(id("gone/model")), ..ModelState::default() };
        assert_eq!(state.order(&[id("p/a")]), [0]);
    }

    #[test]
    fn the_same_news_is_news_once() {
        let mut state = ModelState::default();
        assert!(state.apply(&aside("p/a")));
        assert!(!state.apply(&aside("p/a")));
        assert_eq!(state.set_aside.len(), 1);
    }

    #[test]
    fn state_survives_storage() {
        let mut state = ModelState::default();
        state.apply(&aside("p/a"));
        state.apply(&ModelChange::Pinned(id("p/b")));
        let text = serde_json::to_string(&state).unwrap();
        assert_eq!(text, r#"{"pinned":"p/b","setAside":[{"model":"p/a","reason":"404"}]}"#);
        assert_eq!(serde_json::from_str::<ModelState>(&text).unwrap(), state);
        assert_eq!(serde_json::from_str::<ModelState>("{}").unwrap(), ModelState::default());
    }

    #[test]
    fn cache_key_is_stable_and_keeps_parts_apart() {
        assert_eq!(session_cache_key(&["s", "/p"]), session_cache_key(&["s", "/p"]));
        assert_ne!(session_cache_key(&["s", "/p"]), session_cache_key(&["s/", "p"]));
        assert_eq!(session_cache_key(&[]).len(), "portcullis-".len() + 32);
    }
}
