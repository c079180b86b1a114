//! The model's part of a decision: what is sent to it, and what its answer comes to.

use portcullis_classifier::{BlockTier, FailureKind, Outcome};
use portcullis_config::OnBlock;

use super::{Asked, Conclusion, Run, allow, deny};
use crate::evidence;
use crate::messages::{self, instead};
use crate::ports::SessionAllowOffer;
use crate::stages::Grounds;
use crate::{ClassifierUse, Person, Reach, Route, RuleRef, Stage, TraceStep, Verdict};

impl Run<'_> {
    /// Sends the call to the model, if there is one and it may be asked.
    pub(super) async fn classify(&mut self, route: Route, why: &str) -> Conclusion {
        let rule = match &self.asked {
            Asked::Open => None,
            Asked::Pending(rule) | Asked::Agreed(rule) | Asked::ModelFirst(rule) => Some(rule.clone()),
        };
        let (route, why) = if rule.is_some() { (Route::AskRule, messages::ASK_RULE) } else { (route, why) };
        if self.context.session.reach == Reach::LocalOnly {
            return self.local_only(rule);
        }
        let person_first = matches!(self.asked, Asked::Pending(_)) && self.context.session.person == Person::AskNow;
        if let Some(rule) = rule.clone().filter(|_| person_first) {
            let answered = self.rule_question(rule.clone()).await;
            if answered.verdict != Verdict::Allow {
                return answered;
            }
            self.trace.push(TraceStep { stage: Stage::Ask, verdict: None, detail: "a person agreed".to_owned() });
            self.asked = Asked::Agreed(rule);
        }
        let agreed = matches!(self.asked, Asked::Agreed(_));
        if self.context.state.pause.paused && !agreed {
            let grounds = Grounds { rule, ..Grounds::new("Repeated blocks have paused automatic decisions.") };
            return self.question_or(Stage::Pause, grounds, instead::PAUSED).await;
        }
        let ports = self.context.ports;
        let (Some(model), Ok(facts)) = (ports.classifiers.classifier(), self.context.facts) else {
            self.classifier = Some(ClassifierUse { route, verdict: None });
            return self.no_model(rule, agreed).await;
        };
        let case = match evidence::case(&self.context, facts, why) {
            Ok(case) => case,
            Err(error) => {
                let grounds = Grounds::new(format!("The call can't be shown to the classifier whole: {error}."));
                return deny(Stage::Classifier, grounds, instead::INPUT);
            }
        };
        tracing::info!(name: "auto_mode.started", tool = %self.context.call.tool, ?route);
        let verdict = model.classify(&case, &self.context.state.models).await;
        let outcome = verdict.outcome.clone();
        self.classifier = Some(ClassifierUse { route, verdict: Some(verdict) });
        self.outcome(outcome).await
    }

    /// What needs a model stays open; an ask rule's question is the host's to put either way.
    fn local_only(&self, rule: Option<RuleRef>) -> Conclusion {
        match (rule, self.context.session.person) {
            (Some(rule), Person::HostAsks | Person::AskNow) => {
                let reason = format!("Rule `{}` wants a person to be asked.", rule.text);
                let grounds = Grounds { reason, rule: Some(rule), floor: None };
                Conclusion { verdict: Verdict::Ask, stage: Stage::Ask, grounds, instead: None }
            }
            (_, Person::HostAsks | Person::AskNow | Person::Absent) => Conclusion {
                verdict: Verdict::Undecided,
                stage: Stage::Classifier,
                grounds: Grounds::new("Nothing local decides this call; a model would be asked."),
                instead: Some(instead::FAILURE),
            },
        }
    }

    /// Without any model, what is open is asked where somebody can be asked, and denied elsewhere.
    async fn no_model(&mut self, rule: Option<RuleRef>, agreed: bool) -> Conclusion {
        match rule {
            // The person has just answered this very question.
            Some(_) if agreed && self.context.policy.degraded().is_none() => {
                let grounds = Grounds { rule, ..Grounds::new("A person agreed, and no model is there to object.") };
                allow(Stage::Ask, grounds)
            }
            Some(rule) if self.context.session.person != Person::Absent => self.rule_question(rule).await,
            Some(_) | None => {
                // A person who is asked wants to know what about the call is open; the seed's words say why nobody else decides.
                let open = self.context.situation.and_then(|situation| situation.why_not_read_only.as_deref());
                let reason = messages::no_model(open.filter(|_| self.context.session.person != Person::Absent));
                self.question_or(Stage::Classifier, Grounds::new(reason), instead::NOBODY).await
            }
        }
    }

    /// What the model's answer comes to.
    async fn outcome(&mut self, outcome: Outcome) -> Conclusion {
        let settings = &self.context.policy.config().auto_mode;
        match outcome {
            Outcome::Allow { reason, .. } => self.classifier_allows(reason).await,
            // INVARIANT: a hard denial is never put to the user.
            Outcome::Block { tier: BlockTier::HardDeny, reason, .. } => deny(
                Stage::Classifier,
                Grounds::new(format!("The classifier blocked it: {reason}")),
                instead::CLASSIFIER,
            ),
            Outcome::Block { tier: BlockTier::SoftDeny | BlockTier::None, reason, .. } => {
                let grounds = Grounds::new(format!("The classifier blocked it: {reason}"));
                match settings.on_soft_block {
                    OnBlock::Ask => self.question_or(Stage::Classifier, grounds, instead::CLASSIFIER).await,
                    OnBlock::Deny => deny(Stage::Classifier, grounds, instead::CLASSIFIER),
                }
            }
            Outcome::Abstain { reason } => {
                let grounds = Grounds::new(format!("The classifier leaves it to a person: {reason}"));
                self.question_or(Stage::Classifier, grounds, instead::NOBODY).await
            }
            Outcome::Failed { kind, message } => {
                let reason = match kind {
                    FailureKind::NoModel => messages::NO_MODEL.to_owned(),
                    kind => messages::failed(&kind.to_string(), &message),
                };
                let fallback = match kind {
                    // INVARIANT 5: an action that can't be judged whole is denied, whoever could be asked about a part of it.
                    FailureKind::ContextOverflow | FailureKind::Cancelled => OnBlock::Deny,
                    FailureKind::NoModel
                    | FailureKind::Auth
                    | FailureKind::Timeout
                    | FailureKind::Transport
                    | FailureKind::Http(_)
                    | FailureKind::RateLimited
                    | FailureKind::Truncated
                    | FailureKind::Malformed => settings.fallback,
                };
                match fallback {
                    OnBlock::Ask => self.question_or(Stage::Classifier, Grounds::new(reason), instead::FAILURE).await,
                    OnBlock::Deny => deny(Stage::Classifier, Grounds::new(reason), instead::FAILURE),
                }
            }
        }
    }

    async fn classifier_allows(&mut self, reason: String) -> Conclusion {
        if let Some(why) = self.context.policy.degraded() {
            let reason = format!("{reason} But the gate is degraded ({why}), so nothing is allowed without a person.");
            return self.question_or(Stage::Classifier, Grounds::new(reason), instead::NOBODY).await;
        }
        match &self.asked {
            Asked::Pending(rule) => {
                let rule = rule.clone();
                self.trace.push(TraceStep { stage: Stage::Classifier, verdict: None, detail: reason });
                self.rule_question(rule).await
            }
            Asked::Agreed(_) | Asked::Open | Asked::ModelFirst(_) => allow(Stage::Classifier, Grounds::new(reason)),
        }
    }

    /// A question where a person can be asked, else a denial. An ask rule's own pending question comes to the same.
    async fn question_or(&mut self, stage: Stage, grounds: Grounds, nobody: &'static str) -> Conclusion {
        match self.context.session.person {
            // The reason stands by itself: it says already why nothing local decided.
            Person::Absent => deny(stage, grounds, nobody),
            Person::HostAsks | Person::AskNow => {
                self.question(stage, grounds, SessionAllowOffer::Offered, nobody).await
            }
        }
    }
}
