//! The gate's edge: what it needs from the program around it.

use portcullis_classifier::{BoxFuture, Classify};
use portcullis_paths::FileSystem;

use crate::{DecisionLog, StateStore};

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now. May go backwards; nothing is decided by it.
    fn now(&self) -> jiff::Timestamp;
}

/// The system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::now()
    }
}

/// A question to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// One line: what wants to run.
    pub title: String,
    /// The call's subject, bounded.
    pub subject: String,
    /// Why the person is asked.
    pub reason: String,
    /// Whether "yes, for this session" is an answer.
    pub session_allow: SessionAllowOffer,
}

/// Whether a question may be answered for the whole session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionAllowOffer {
    /// It may.
    Offered,
    /// Only this once.
    OnlyOnce,
}

/// A person's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes, once.
    Yes,
    /// Yes, and the same call again in this session.
    YesForSession,
    /// No, with words for the model.
    No {
        /// What the person wants done instead.
        feedback: Option<String>,
    },
    /// The person could not be reached. Counts as no.
    Unreachable,
}

/// Asks a person now. Called for [`crate::Person::AskNow`] only; an implementation that can't ask answers
/// [`Answer::Unreachable`]. Dropping the future withdraws the question.
pub trait Prompter: Send + Sync {
    /// Asks.
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Answer>;
}

/// A prompter that reaches nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPrompter;

impl Prompter for NoPrompter {
    fn ask<'a>(&'a self, _question: &'a Question) -> BoxFuture<'a, Answer> {
        Box::pin(std::future::ready(Answer::Unreachable))
    }
}

/// Hands out the classifier, made only when a call needs it: building a TLS client takes longer than a whole local decision.
pub trait Classifiers: Send + Sync {
    /// The classifier, or `None` where no model is configured.
    fn classifier(&self) -> Option<&dyn Classify>;
}

/// No model is configured.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClassifier;

impl Classifiers for NoClassifier {
    fn classifier(&self) -> Option<&dyn Classify> {
        None
    }
}

/// A classifier that is ready.
#[derive(Clone, Copy, Debug)]
pub struct Ready<T>(pub T);

impl<T: Classify> Classifiers for Ready<T> {
    fn classifier(&self) -> Option<&dyn Classify> {
        Some(&self.0)
    }
}

/// Everything around the gate.
#[derive(Clone, Copy)]
pub struct Ports<'a> {
    /// Where paths lead.
    pub fs: &'a dyn FileSystem,
    /// The time.
    pub clock: &'a dyn Clock,
    /// Asks a person.
    pub prompter: &'a dyn Prompter,
    /// What sessions remember.
    pub state: &'a dyn StateStore,
    /// The decision log.
    pub log: &'a dyn DecisionLog,
    /// The model.
    pub classifiers: &'a dyn Classifiers,
}
