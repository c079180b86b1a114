//! The decision: runs the pipeline, asks whom it says must be asked, and writes down what came of it.

mod classify;

use portcullis_config::{Mode, OnBlock};
use portcullis_matcher::ToolCall;

use crate::facts::CallFacts;
use crate::messages::{self, instead};
use crate::ports::{Answer, Question, SessionAllowOffer};
use crate::record;
use crate::situation::Situation;
use crate::stages::{Context, Found, Grounds, STEPS};
use crate::{
    ClassifierUse, Decision, Person, Policy, Ports, Route, RuleRef, Session, SessionAllow, Stage, TraceStep, Verdict,
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
                    answer @ (Answer::Yes | Answer::YesForSession) => {
                        self.approved = true;
                        self.session_allow =
                            answer == Answer::YesForSession && session_allow == SessionAllowOffer::Offered;
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
