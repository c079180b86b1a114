//! The decision: runs the pipeline, asks whom it says must be asked, and writes down what came of it.

use portcullis_classifier::{BlockTier, FailureKind, Outcome};
use portcullis_config::{Mode, OnBlock};
use portcullis_matcher::ToolCall;

use crate::evidence;
use crate::facts::CallFacts;
use crate::messages::{self, instead};
use crate::ports::{Answer, Question, SessionAllowOffer};
use crate::record;
use crate::situation::Situation;
use crate::stages::{Context, Found, Grounds, STEPS};
use crate::{
    ClassifierUse, Decision, Person, Policy, Ports, Reach, Route, RuleRef, Session, SessionAllow, Stage, TraceStep,
    Verdict,
};

/// The gate: compiled settings and what surrounds them.
pub struct Gate<'a> {
    policy: &'a Policy,
    ports: Ports<'a>,
}

/// How an ask rule was answered.
enum Asked {
    /// No ask rule matched.
    Open,
    /// A person has to agree, and is asked once nothing local denies the call any more: nobody is asked in vain.
    Pending(RuleRef),
    /// A person agreed just now.
    Agreed(RuleRef),
    /// The model may settle it before a person is asked (`resolveAsks`).
    ModelFirst(RuleRef),
}

/// What the pipeline came to, before it is dressed for the host.
struct Conclusion {
    verdict: Verdict,
    stage: Stage,
    grounds: Grounds,
    /// What the model should do instead.
    instead: Option<&'static str>,
}

/// One decision on its way.
struct Run<'a> {
    context: Context<'a>,
    trace: Vec<TraceStep>,
    asked: Asked,
    classifier: Option<ClassifierUse>,
    /// A person said yes for the whole session.
    session_allow: bool,
    /// A person approved, which ends a pause.
    approved: bool,
}

impl<'a> Gate<'a> {
    /// A gate over compiled settings.
    pub fn new(policy: &'a Policy, ports: Ports<'a>) -> Self {
        Self { policy, ports }
    }

    /// Decides one call. Always answers; whatever goes wrong inside is a denial or a question.
    pub async fn decide(&self, call: &ToolCall, session: &Session) -> Decision {
        let state = session.id.as_deref().and_then(|id| self.ports.state.read(id).ok()).unwrap_or_default();
        let wanted = state.mode.as_deref().and_then(|name| name.parse().ok()).or(session.mode);
        let facts = CallFacts::gather(call, session.home.as_deref(), self.ports.fs);
        let context = Context {
            policy: self.policy,
            ports: &self.ports,
            session,
            state: &state,
            call,
            mode: self.policy.mode(wanted),
            facts: facts.as_ref().map_err(String::as_str),
            situation: None,
        };
        // Worked out only where a stage needs it: it looks into the project's own configuration.
        let situation = std::cell::OnceCell::new();
        let mut run = Run {
            context,
            trace: Vec::new(),
            asked: Asked::Open,
            classifier: None,
            session_allow: false,
            approved: false,
        };
        let conclusion = run.conclude(&situation).await;
        let decision = run.decision(conclusion, facts.as_ref().ok());
        let allow = run.session_allow.then(|| SessionAllow {
            tool: call.tool.as_str().to_owned(),
            command: facts.as_ref().ok().and_then(|facts| facts.command.clone()),
        });
        let outcome = record::Outcome { decision: &decision, session_allow: allow, approved: run.approved };
        record::write(&self.ports, self.policy, call, session, &outcome);
        decision
    }
}

impl<'a> Run<'a> {
    /// Walks the stages until one decides.
    async fn conclude(&mut self, situation: &'a std::cell::OnceCell<Situation>) -> Conclusion {
        for step in STEPS {
            if step.stage >= Stage::Mode
                && let Ok(facts) = self.context.facts
            {
                let found = situation.get_or_init(|| Situation::new(&self.context, facts));
                self.context.situation = Some(found);
            }
            let found = (step.look)(&self.context);
            if let Some(conclusion) = self.settle(step.stage, found).await {
                let detail = conclusion.grounds.reason.clone();
                self.trace.push(TraceStep { stage: conclusion.stage, verdict: Some(conclusion.verdict), detail });
                return conclusion;
            }
        }
        // INVARIANT 1: a call that every stage passed on is denied.
        Conclusion {
            verdict: Verdict::Deny,
            stage: Stage::Residual,
            grounds: Grounds::new("No stage decided the call."),
            instead: Some(instead::FAILURE),
        }
    }

    /// What a stage's finding comes to; `None` passes the call on.
    async fn settle(&mut self, stage: Stage, found: Found) -> Option<Conclusion> {
        match found {
            Found::Silent => None,
            Found::Next(detail) => self.next(stage, detail),
            Found::Off(reason) => Some(Conclusion {
                verdict: Verdict::Pass,
                stage,
                grounds: Grounds::new(format!("The gate is off: {reason}.")),
                instead: None,
            }),
            Found::Deny(grounds, instead) => Some(deny(stage, grounds, instead)),
            Found::Floor(grounds) => Some(self.floor(grounds).await),
            Found::AskRule(rule) => self.ask_rule(stage, rule),
            Found::Allow(grounds) => self.allow(stage, grounds).await,
            Found::Person(reason) => Some(self.person(stage, Grounds::new(reason)).await),
            Found::Classify(route, why) => Some(self.classify(route, &why).await),
        }
    }

    fn next(&mut self, stage: Stage, detail: String) -> Option<Conclusion> {
        self.trace.push(TraceStep { stage, verdict: None, detail });
        None
    }

    /// An allow tier spoke. An ask rule and a degraded gate close the tiers.
    async fn allow(&mut self, stage: Stage, grounds: Grounds) -> Option<Conclusion> {
        if let Some(why) = self.context.policy.degraded() {
            let reason =
                format!("{} But the gate is degraded ({why}), so nothing is allowed without a person.", grounds.reason);
            return match stage {
                Stage::Residual => Some(self.person(stage, Grounds { reason, ..grounds }).await),
                _ => self.next(stage, reason),
            };
        }
        let rule = match &self.asked {
            Asked::Open => return Some(allow(stage, grounds)),
            Asked::Pending(rule) | Asked::Agreed(rule) | Asked::ModelFirst(rule) => rule.clone(),
        };
        if stage == Stage::Residual {
            return Some(match &self.asked {
                Asked::Open | Asked::Agreed(_) => allow(stage, grounds),
                Asked::Pending(_) => self.rule_question(rule).await,
                Asked::ModelFirst(_) => self.classify(Route::AskRule, messages::ASK_RULE).await,
            });
        }
        let reason = format!("{} But ask rule `{}` closes the allow tiers.", grounds.reason, rule.text);
        self.next(stage, reason)
    }

    /// A floor hit: a denial, or with `onFloor` a question where the mode asks at all and no denied path is touched.
    async fn floor(&mut self, grounds: Grounds) -> Conclusion {
        let mode_asks = match self.context.mode {
            Mode::Default | Mode::AcceptEdits | Mode::Auto | Mode::BypassPermissions => true,
            Mode::Plan | Mode::DontAsk => false,
        };
        let wanted = self.context.policy.config().auto_mode.on_floor == OnBlock::Ask;
        let path_gate = STEPS.iter().find(|step| step.stage == Stage::PathGate);
        let denied_path = path_gate.is_none_or(|step| matches!((step.look)(&self.context), Found::Deny(..)));
        if wanted && mode_asks && !denied_path && self.context.session.person != Person::Absent {
            return self.question(Stage::Floor, grounds, SessionAllowOffer::OnlyOnce, instead::FLOOR).await;
        }
        deny(Stage::Floor, grounds, instead::FLOOR)
    }

    fn ask_rule(&mut self, stage: Stage, rule: RuleRef) -> Option<Conclusion> {
        let reason = format!("Rule `{}` wants a person to be asked.", rule.text);
        if self.context.policy.config().auto_mode.resolve_asks {
            self.asked = Asked::ModelFirst(rule);
            return self.next(stage, format!("{reason} The classifier is asked first (`resolveAsks`)."));
        }
        if self.context.session.person == Person::Absent {
            let reason = format!("{reason} Nobody can be asked here.");
            return Some(deny(stage, Grounds { reason, rule: Some(rule), floor: None }, instead::NOBODY));
        }
        self.asked = Asked::Pending(rule);
        self.next(stage, reason)
    }

    /// The ask rule's question, now that nothing denies the call.
    async fn rule_question(&mut self, rule: RuleRef) -> Conclusion {
        let reason = format!("Rule `{}` wants a person to be asked.", rule.text);
        let grounds = Grounds { reason, rule: Some(rule), floor: None };
        self.question(Stage::Ask, grounds, SessionAllowOffer::OnlyOnce, instead::NOBODY).await
    }

    /// A person has to decide.
    async fn person(&mut self, stage: Stage, grounds: Grounds) -> Conclusion {
        if self.context.mode == Mode::DontAsk {
            return deny(stage, grounds, instead::DONT_ASK);
        }
        match &self.asked {
            Asked::Pending(rule) | Asked::ModelFirst(rule) => {
                let rule = rule.clone();
                return self.rule_question(rule).await;
            }
            // The question was put a moment ago, about this very call.
            Asked::Agreed(_) if self.context.policy.degraded().is_none() => return allow(stage, grounds),
            Asked::Agreed(_) | Asked::Open => {}
        }
        self.question(stage, grounds, SessionAllowOffer::Offered, instead::NOBODY).await
    }

    /// Puts a question, or says that the host must.
    async fn question(
        &mut self,
        stage: Stage,
        grounds: Grounds,
        session_allow: SessionAllowOffer,
        nobody: &'static str,
    ) -> Conclusion {
        match self.context.session.person {
            Person::Absent => {
                let reason = format!("{} Nobody can be asked here.", grounds.reason);
                deny(stage, Grounds { reason, ..grounds }, nobody)
            }
            Person::HostAsks => Conclusion { verdict: Verdict::Ask, stage, grounds, instead: None },
            Person::AskNow => {
                let subject = record::summary(self.context.call);
                let question = Question {
                    title: format!("Allow {}?", self.context.call.host_tool),
                    subject,
                    reason: grounds.reason.clone(),
                    session_allow,
                };
                match self.context.ports.prompter.ask(&question).await {
                    Answer::Yes => {
                        self.approved = true;
                        allow(stage, Grounds { reason: format!("{} A person agreed.", grounds.reason), ..grounds })
                    }
                    Answer::YesForSession => {
                        self.approved = true;
                        self.session_allow = session_allow == SessionAllowOffer::Offered;
                        allow(stage, Grounds { reason: format!("{} A person agreed.", grounds.reason), ..grounds })
                    }
                    Answer::No { feedback } => {
                        let reason = messages::declined(feedback.as_deref());
                        deny(stage, Grounds { reason, ..grounds }, instead::USER)
                    }
                    Answer::Unreachable => {
                        let reason = format!("{} Nobody could be reached.", grounds.reason);
                        deny(stage, Grounds { reason, ..grounds }, nobody)
                    }
                }
            }
        }
    }

    /// Sends the call to the model, if there is one and it may be asked.
    async fn classify(&mut self, route: Route, why: &str) -> Conclusion {
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

    /// Dresses the conclusion.
    fn decision(&mut self, conclusion: Conclusion, facts: Option<&CallFacts>) -> Decision {
        let Conclusion { verdict, stage, grounds, instead } = conclusion;
        let message_for_model = match verdict {
            Verdict::Allow | Verdict::Pass => None,
            Verdict::Ask => Some(messages::asking(&grounds.reason)),
            Verdict::Deny | Verdict::Undecided => {
                Some(messages::denied(&grounds.reason, instead.unwrap_or(instead::FAILURE)))
            }
        };
        let classifier = self.classifier.take();
        Decision {
            id: record::decision_id(),
            verdict,
            stage,
            reason: grounds.reason,
            message_for_model,
            rule: grounds.rule,
            floor: grounds.floor,
            local: classifier.as_ref().is_none_or(|used| used.verdict.is_none()),
            classifier,
            trace: std::mem::take(&mut self.trace),
            degraded: self.context.policy.degraded().map(str::to_owned),
            paths: facts.map(CallFacts::resolved).unwrap_or_default(),
        }
    }
}

fn allow(stage: Stage, grounds: Grounds) -> Conclusion {
    Conclusion { verdict: Verdict::Allow, stage, grounds, instead: None }
}

fn deny(stage: Stage, grounds: Grounds, instead: &'static str) -> Conclusion {
    Conclusion { verdict: Verdict::Deny, stage, grounds, instead: Some(instead) }
}
