//! Values that the script itself gives to names.

use std::collections::HashMap;

use crate::analysis::Part;

/// What is known about a variable here.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    /// Its value, as the parts of a quoted word: text, tilde, variables from outside.
    Value(Vec<Part>),
    /// One of these (`for` over words).
    Choice(Vec<Vec<Part>>),
    /// Some integer.
    Integer,
}

/// Values in scope, with a journal so that leaving a scope costs only what was changed in it.
#[derive(Debug, Default)]
pub(super) struct Values {
    now: HashMap<String, Known>,
    journal: Vec<(String, Option<Known>)>,
}

impl Values {
    pub(super) fn get(&self, name: &str) -> Option<&Known> {
        self.now.get(name)
    }

    pub(super) fn set(&mut self, name: &str, value: Option<Known>) {
        let before = match value {
            Some(value) => self.now.insert(name.to_owned(), value),
            None => self.now.remove(name),
        };
        self.journal.push((name.to_owned(), before));
    }

    pub(super) fn mark(&self) -> usize {
        self.journal.len()
    }

    pub(super) fn roll_back(&mut self, mark: usize) {
        while self.journal.len() > mark {
            match self.journal.pop() {
                Some((name, Some(value))) => {
                    self.now.insert(name, value);
                }
                Some((name, None)) => {
                    self.now.remove(&name);
                }
                None => return,
            }
        }
    }

    /// Forgets the positional parameters: a function or script has its own.
    pub(super) fn forget_positional(&mut self) {
        for index in 0..10_u8 {
            let name = index.to_string();
            if self.now.contains_key(&name) {
                self.set(&name, None);
            }
        }
    }
}
