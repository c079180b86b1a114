//! Protocol `staged`: a one-digit filter, then a closer look where the filter asks for one.
//!
//! | stage | answer | result |
//! | --- | --- | --- |
//! | fast | `0`, stopped by itself | allow |
//! | fast | `1`, stopped by itself | detailed stage |
//! | fast | anything else | failed: no second try, a filter that can't filter is not to be trusted |
//! | detailed | a valid decision, stopped by itself | that decision |
//! | detailed | malformed, or cut off by length | one retry, then failed |
//! | detailed | any other stop reason, any transport failure | failed at once |

use tokio::time::{Instant, timeout};

use super::decision;
use crate::{
    AllowTier, Attempt, Classifier, Failure, FailureKind, ModelChange, ModelId, ModelState, Outcome, Prompt,
    ReasoningUse, Reply, Request, SetAside, Stage, StopReason, Transport, Usage, Verdict,
    prompt::decision_shape,
    text::{bounded, one_line},
};

/// Token cap of the detailed stage.
const DETAILED_MAX_TOKENS: u32 = 1_200;
/// Tries at the detailed stage.
const DETAILED_TRIES: u32 = 2;
/// Bytes of a reply's text kept in the record of an attempt.
const RECORDED_BYTES: usize = 16 * 1024;

const NO_MODEL: &str = "No classifier model/API key available; auto mode fails closed.";
const NOT_JSON: &str = "Classifier response was not valid decision JSON; auto mode fails closed.";
const FAST_ALLOWS: &str = "The fast filter found the action clearly allowed.";

pub(crate) async fn run<T: Transport>(classifier: &Classifier<T>, prompt: Prompt, state: &ModelState) -> Verdict {
    let ids = classifier.models();
    let mut order = state.order(&ids);
    // Taken from the end.
    order.reverse();
    let mut run = Run { classifier, prompt, state, order, attempts: Vec::new(), changes: Vec::new() };
    let outcome =
        run.fast().await.unwrap_or_else(|failure| Outcome::Failed { kind: failure.kind, message: failure.message });
    Verdict { outcome, attempts: run.attempts, changes: run.changes, prompt: run.prompt }
}

/// What the fast stage may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Digit {
    Clear,
    Review,
}

/// Reads the fast answer: the whole text is one digit.
fn parse_digit(text: &str) -> Option<Digit> {
    match text.trim() {
        "0" => Some(Digit::Clear),
        "1" => Some(Digit::Review),
        _ => None,
    }
}

/// One classification under way.
struct Run<'a, T> {
    classifier: &'a Classifier<T>,
    prompt: Prompt,
    state: &'a ModelState,
    /// Positions of the models still to try, the next one last.
    order: Vec<usize>,
    attempts: Vec<Attempt>,
    changes: Vec<ModelChange>,
}

impl<T: Transport> Run<'_, T> {
    async fn fast(&mut self) -> Result<Outcome, Failure> {
        let reply = self.ask(Stage::Fast, 1).await?;
        if reply.stop != StopReason::Stop {
            return Err(self.bad_answer(stopped(&reply.stop, Stage::Fast)));
        }
        match parse_digit(&reply.text) {
            Some(Digit::Clear) => {
                self.pin();
                Ok(Outcome::Allow { tier: AllowTier::None, reason: FAST_ALLOWS.to_owned() })
            }
            Some(Digit::Review) => {
                self.pin();
                self.detailed().await
            }
            None => Err(self.bad_answer(Failure::new(
                FailureKind::Malformed,
                "The classifier's fast answer was not exactly 0 or 1; auto mode fails closed.",
            ))),
        }
    }

    async fn detailed(&mut self) -> Result<Outcome, Failure> {
        let mut last = FailureKind::Malformed;
        for attempt in 1..=DETAILED_TRIES {
            let reply = self.ask(Stage::Detailed, attempt).await?;
            let failure = match reply.stop {
                StopReason::Stop => match decision::parse(&reply.text, self.classifier.policy()) {
                    Ok(outcome) => {
                        self.pin();
                        return Ok(outcome);
                    }
                    Err(problem) => Failure::new(FailureKind::Malformed, problem),
                },
                StopReason::Length => stopped(&reply.stop, Stage::Detailed),
                StopReason::Refusal | StopReason::Other(_) => {
                    return Err(self.bad_answer(stopped(&reply.stop, Stage::Detailed)));
                }
            };
            last = failure.kind;
            self.bad_answer(failure);
        }
        Err(Failure::new(last, NOT_JSON))
    }

    /// Asks the next usable model, stepping over those that prove unusable.
    async fn ask(&mut self, stage: Stage, attempt: u32) -> Result<Reply, Failure> {
        loop {
            let classifier = self.classifier;
            let Some(model) = self.order.last().and_then(|position| classifier.transports().get(*position)) else {
                return Err(Failure::new(FailureKind::NoModel, NO_MODEL));
            };
            match self.ask_model(model, stage, attempt).await {
                Ok(reply) => return Ok(reply),
                Err(failure) if self.sets_aside(&model.id(), stage, failure.kind) => {
                    self.order.pop();
                    self.changes.push(ModelChange::SetAside(SetAside { model: model.id(), reason: failure.message }));
                }
                Err(failure) => {
                    let message = match failure.kind {
                        FailureKind::Timeout => failure.message,
                        kind => {
                            format!("Classifier request failed ({kind}): {}; auto mode fails closed.", failure.message)
                        }
                    };
                    return Err(Failure { message, ..failure });
                }
            }
        }
    }

    /// Whether a failure shows the model to be unusable.
    ///
    /// A pinned model has answered the fast stage before, so it does take our requests: if it rejects one now, that is about what is
    /// in it, which must not be able to switch the classifier off for the session.
    fn sets_aside(&self, model: &ModelId, stage: Stage, kind: FailureKind) -> bool {
        let proven = stage == Stage::Fast && self.state.pinned.as_ref() == Some(model);
        kind.model_is_unusable() && !(proven && matches!(kind, FailureKind::Http(400 | 422)))
    }

    /// One request to one model, within its budget, recorded.
    async fn ask_model(&mut self, model: &T, stage: Stage, attempt: u32) -> Result<Reply, Failure> {
        let settings = self.classifier.settings();
        let reasoning = ReasoningUse::resolve(settings.reasoning, model.reasoning_levels());
        let request = self.request(stage, reasoning);
        let start = Instant::now();
        let result = match self.check_window(model, stage, request.max_tokens) {
            Err(failure) => Err(failure),
            Ok(()) => timeout(settings.timeout, model.send(request)).await.unwrap_or_else(|_| {
                let message = format!(
                    "The classifier {} did not answer within {} ms; auto mode fails closed. This is no judgement of the call.",
                    model.id(),
                    settings.timeout.as_millis()
                );
                Err(Failure::new(FailureKind::Timeout, message))
            }),
        };
        let record = Attempt {
            stage,
            attempt,
            model: model.id(),
            reasoning,
            duration: start.elapsed(),
            text: result.as_ref().ok().map(|reply| bounded(&reply.text, RECORDED_BYTES).to_owned()),
            stop: result.as_ref().ok().map(|reply| reply.stop.clone()),
            usage: result.as_ref().map_or(Usage::default(), |reply| reply.usage),
            error: result.as_ref().err().cloned(),
        };
        self.attempts.push(record);
        result
    }

    fn request(&self, stage: Stage, reasoning: ReasoningUse) -> Request {
        let settings = self.classifier.settings();
        let (max_tokens, json) = match stage {
            Stage::Fast => (settings.fast_max_tokens, None),
            Stage::Detailed => (DETAILED_MAX_TOKENS, Some(decision_shape())),
        };
        Request {
            system: self.prompt.system().to_owned(),
            messages: self.prompt.messages(stage),
            max_tokens,
            reasoning: reasoning.effective(),
            cache_key: settings.cache_key.clone(),
            json,
        }
    }

    /// INVARIANT (the action is whole): a prompt that can't fit is not sent, and nothing is removed from it to make it fit.
    fn check_window(&self, model: &T, stage: Stage, max_tokens: u32) -> Result<(), Failure> {
        let Some(window) = model.context_window() else {
            return Ok(());
        };
        let answer = usize::try_from(max_tokens).unwrap_or(usize::MAX);
        let needed = self.prompt.approximate_tokens(stage).saturating_add(answer);
        if usize::try_from(window).is_ok_and(|window| needed <= window) {
            return Ok(());
        }
        let message = format!("the action and its context need about {needed} tokens, {} takes {window}", model.id());
        Err(Failure::new(FailureKind::ContextOverflow, message))
    }

    /// Notes on the last attempt why its answer is of no use, and hands the failure on.
    fn bad_answer(&mut self, failure: Failure) -> Failure {
        if let Some(attempt) = self.attempts.last_mut() {
            attempt.error = Some(failure.clone());
        }
        failure
    }

    /// The model that answered last is the session's, if it is not already.
    fn pin(&mut self) {
        let Some(model) = self.attempts.last().map(|attempt| attempt.model.clone()) else {
            return;
        };
        let known = |pinned: &ModelId| *pinned == model;
        let change = ModelChange::Pinned(model.clone());
        if !self.state.pinned.as_ref().is_some_and(known) && !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }
}

/// The failure for an answer that did not end by itself.
fn stopped(stop: &StopReason, stage: Stage) -> Failure {
    let (kind, what) = match stop {
        StopReason::Length => {
            let hint = match stage {
                Stage::Fast => "; a reasoning model may need a higher fastClassifierMaxTokens",
                Stage::Detailed => "",
            };
            (FailureKind::Truncated, format!("was cut off by its token limit{hint}"))
        }
        StopReason::Refusal => (FailureKind::Malformed, "was a refusal by the model or its provider".to_owned()),
        StopReason::Other(name) => (FailureKind::Malformed, format!("ended with stop reason `{}`", one_line(name, 40))),
        StopReason::Stop => (FailureKind::Malformed, "had no usable form".to_owned()),
    };
    Failure::new(kind, format!("The classifier's answer {what}; auto mode fails closed."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digit_is_the_whole_text() {
        for (text, digit) in
            [("0", Some(Digit::Clear)), (" 1\n", Some(Digit::Review)), ("\u{a0}0", Some(Digit::Clear)), ("00", None)]
        {
            assert_eq!(parse_digit(text), digit, "{text:?}");
        }
    }
}
