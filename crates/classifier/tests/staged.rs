//! The staged protocol against scripted models: what each answer comes to, how often it is asked for, and which model is asked.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic")]

use std::time::Duration;

use portcullis_classifier::{
    ActionJson, AllowTier, BlockTier, Case, Classifier, FailureKind, ModelChange, ModelId, ModelState, Outcome, Policy,
    ReasoningLevel, ReasoningUse, SetAside, Settings, Stage, StopReason, Verdict,
    scripted::{Scripted, Step},
};
use serde_json::{Value, json};

const GOOD: &str = r#"{"decision":"allow","tier":"none","reason":"a test run"}"#;
const NO_MODEL: &str = "No classifier model/API key available; auto mode fails closed.";
const NOT_JSON: &str = "Classifier response was not valid decision JSON; auto mode fails closed.";

fn case() -> Case {
    Case::new(ActionJson::new("bash", &json!({"command": "npm test"})).unwrap())
}

fn classifier(models: Vec<Scripted>) -> Classifier<Scripted> {
    Classifier::new(models, Policy::default(), Settings::default())
}

async fn judge(models: Vec<Scripted>) -> Verdict {
    classifier(models).classify(&case(), &ModelState::default()).await
}

async fn judge_steps(steps: impl IntoIterator<Item = Step>) -> Verdict {
    judge(vec![Scripted::new("p/m", steps)]).await
}

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn step(row: &Value) -> Step {
    let stop = match row["stop"].as_str().unwrap_or("stop") {
        "stop" => StopReason::Stop,
        "length" => StopReason::Length,
        "refusal" => StopReason::Refusal,
        other => StopReason::Other(other.to_owned()),
    };
    Step::stopped(row["text"].as_str().unwrap(), stop)
}

fn failed(outcome: &Outcome) -> FailureKind {
    match outcome {
        Outcome::Failed { kind, .. } => *kind,
        other => panic!("not failed: {other:?}"),
    }
}

#[tokio::test]
async fn every_malformed_fast_answer_fails_without_a_second_try() {
    let rows = rows(include_str!("data/fast_malformed.jsonl"));
    assert!(rows.len() >= 50, "{}", rows.len());
    for row in rows {
        // Were it asked again, it would hear "0" and then allow.
        let verdict = judge_steps([step(&row), Step::text("0"), Step::text(GOOD)]).await;
        let kind = if row["stop"] == "length" { FailureKind::Truncated } else { FailureKind::Malformed };
        assert_eq!(failed(&verdict.outcome), kind, "{row}");
        assert_eq!(verdict.attempts.len(), 1, "{row}");
        assert_eq!(
            verdict.attempts[0].text.as_deref(),
            row["text"].as_str(),
            "the record keeps the text as it came: {row}"
        );
        assert_eq!(verdict.attempts[0].error.as_ref().map(|error| error.kind), Some(kind), "{row}");
        assert!(verdict.changes.is_empty(), "a bad answer neither pins nor sets aside: {row}");
    }
}

#[tokio::test]
async fn a_clear_digit_allows_and_asks_once() {
    for text in ["0", " 0\n", "\r\n0", "\t0 "] {
        let verdict = judge_steps([Step::text(text)]).await;
        assert!(matches!(verdict.outcome, Outcome::Allow { tier: AllowTier::None, .. }), "{text:?}");
        assert_eq!(verdict.attempts.len(), 1);
    }
}

#[tokio::test]
async fn every_malformed_detailed_answer_fails_after_the_tries_that_it_is_due() {
    let rows = rows(include_str!("data/detailed_malformed.jsonl"));
    assert!(rows.len() >= 60, "{}", rows.len());
    for row in rows {
        let verdict = judge_steps([Step::text("1"), step(&row), step(&row), Step::text(GOOD)]).await;
        let cut = row["stop"] == "length";
        assert_eq!(
            failed(&verdict.outcome),
            if cut { FailureKind::Truncated } else { FailureKind::Malformed },
            "{row}"
        );
        let retried = row["retry"].as_bool().unwrap();
        assert_eq!(verdict.attempts.len(), if retried { 3 } else { 2 }, "{row}");
        let Outcome::Failed { message, .. } = &verdict.outcome else { panic!("{:?}", verdict.outcome) };
        assert_eq!(message == NOT_JSON, retried, "{row}: {message}");
        assert!(verdict.attempts.iter().skip(1).all(|attempt| attempt.error.is_some()), "{row}");
    }
}

#[tokio::test]
async fn a_malformed_detailed_answer_is_asked_for_exactly_once_more() {
    for row in rows(include_str!("data/detailed_malformed.jsonl")) {
        let verdict = judge_steps([Step::text("1"), step(&row), Step::text(GOOD)]).await;
        if row["retry"] == true {
            assert!(matches!(verdict.outcome, Outcome::Allow { .. }), "the retry may allow: {row}");
            let numbers: Vec<_> = verdict.attempts.iter().map(|attempt| (attempt.stage, attempt.attempt)).collect();
            assert_eq!(numbers, [(Stage::Fast, 1), (Stage::Detailed, 1), (Stage::Detailed, 2)], "{row}");
        } else {
            assert_eq!(failed(&verdict.outcome), FailureKind::Malformed, "{row}");
        }
    }
}

#[tokio::test]
async fn every_valid_decision_is_taken() {
    for row in rows(include_str!("data/detailed_valid.jsonl")) {
        let verdict = judge_steps([Step::text("1"), step(&row)]).await;
        let got = match &verdict.outcome {
            Outcome::Allow { tier, .. } => ("allow", serde_json::to_value(tier).unwrap()),
            Outcome::Block { tier, .. } => ("block", serde_json::to_value(tier).unwrap()),
            other => panic!("{row}: {other:?}"),
        };
        assert_eq!((got.0, &got.1), (row["outcome"].as_str().unwrap(), &row["tier"]), "{row}");
        assert_eq!(verdict.attempts.len(), 2, "{row}");
    }
}

#[tokio::test]
async fn a_reason_is_one_bounded_line_and_its_rule_is_checked() {
    let reason = format!("H1:\u{1b}[31m no\nway {}", "x".repeat(5_000));
    let text = json!({"decision": "block", "tier": "hard_deny", "reason": reason}).to_string();
    let model = Scripted::new("p/m", [Step::text("1"), Step::text(text)]);
    let policy = Policy { hard_deny: vec!["no".into()], ..Policy::default() };
    let verdict =
        Classifier::new(vec![model], policy, Settings::default()).classify(&case(), &ModelState::default()).await;
    let Outcome::Block { tier: BlockTier::HardDeny, reason, rule_id } = verdict.outcome else {
        panic!("{:?}", verdict.outcome)
    };
    assert!(
        reason.starts_with("H1: [31m no way x") && reason.chars().count() <= 1_001 && !reason.contains('\n'),
        "{reason}"
    );
    assert_eq!(rule_id.as_deref(), Some("H1"));
}

#[tokio::test]
async fn a_transport_failure_fails_at_once_in_either_stage() {
    for kind in [
        FailureKind::Timeout,
        FailureKind::Cancelled,
        FailureKind::Transport,
        FailureKind::Http(500),
        FailureKind::Http(529),
        FailureKind::Http(302),
        FailureKind::RateLimited,
        FailureKind::ContextOverflow,
        FailureKind::Malformed,
    ] {
        let fallback = || Scripted::new("q/other", [Step::text("0"), Step::text(GOOD)]);
        for before in [vec![], vec![Step::text("1")]] {
            let asked = before.len() + 1;
            let steps = before.into_iter().chain([Step::failure(kind, "broken"), Step::text("0"), Step::text(GOOD)]);
            let verdict = judge(vec![Scripted::new("p/m", steps), fallback()]).await;
            assert_eq!(failed(&verdict.outcome), kind);
            assert_eq!(verdict.attempts.len(), asked, "{kind}");
            assert!(
                !verdict.changes.iter().any(|change| matches!(change, ModelChange::SetAside(_))),
                "{kind} sets nothing aside"
            );
        }
    }
}

#[tokio::test]
async fn an_unusable_model_is_set_aside_and_the_next_is_pinned() {
    for kind in [
        FailureKind::NoModel,
        FailureKind::Auth,
        FailureKind::Http(404),
        FailureKind::Http(400),
        FailureKind::Http(402),
    ] {
        let first = Scripted::new("p/bad", [Step::failure(kind, "unusable")]);
        let second = Scripted::new("q/good", [Step::text("0"), Step::text("0")]);
        let judge = classifier(vec![first, second]);
        let mut state = ModelState::default();
        let verdict = judge.classify(&case(), &state).await;
        assert!(matches!(verdict.outcome, Outcome::Allow { .. }), "{kind}");
        let aside = SetAside { model: ModelId::new("p/bad"), reason: "unusable".into() };
        assert_eq!(
            verdict.changes,
            [ModelChange::SetAside(aside), ModelChange::Pinned(ModelId::new("q/good"))],
            "{kind}"
        );
        verdict.changes.iter().for_each(|change| assert!(state.apply(change)));
        let again = judge.classify(&case(), &state).await;
        assert_eq!(again.attempts.len(), 1, "the bad model is not tried again");
        assert!(again.changes.is_empty(), "and nothing is news");
    }
}

#[tokio::test]
async fn content_that_a_proven_model_rejects_does_not_cost_the_session_its_model() {
    let state = ModelState { pinned: Some(ModelId::new("p/m")), ..ModelState::default() };
    for (kind, aside) in [
        (FailureKind::Http(400), false),
        (FailureKind::Http(422), false),
        (FailureKind::Http(404), true),
        (FailureKind::Auth, true),
    ] {
        let model = Scripted::new("p/m", [Step::failure(kind, "no")]);
        let verdict = classifier(vec![model]).classify(&case(), &state).await;
        assert_eq!(!verdict.changes.is_empty(), aside, "{kind}");
        assert_eq!(failed(&verdict.outcome) == FailureKind::NoModel, aside, "{kind}");
    }
}

#[tokio::test]
async fn a_model_that_becomes_unusable_between_stages_is_stepped_over() {
    let first = Scripted::new("p/a", [Step::text("1"), Step::failure(FailureKind::Auth, "revoked")]);
    let second = Scripted::new("q/b", [Step::text(GOOD)]);
    let verdict = judge(vec![first, second]).await;
    assert!(matches!(verdict.outcome, Outcome::Allow { .. }));
    let mut state = ModelState::default();
    verdict.changes.iter().for_each(|change| {
        state.apply(change);
    });
    assert_eq!(state.pinned, Some(ModelId::new("q/b")));
}

#[tokio::test]
async fn no_model_fails_in_the_known_words() {
    let none = judge(vec![]).await;
    let all_bad = judge(vec![Scripted::new("p/m", [Step::failure(FailureKind::Auth, "401")])]).await;
    let aside = SetAside { model: ModelId::new("p/m"), reason: "404".into() };
    let state = ModelState { pinned: None, set_aside: vec![aside] };
    let earlier = classifier(vec![Scripted::new("p/m", [Step::text("0")])]).classify(&case(), &state).await;
    for verdict in [none, all_bad, earlier] {
        assert_eq!(verdict.outcome, Outcome::Failed { kind: FailureKind::NoModel, message: NO_MODEL.into() });
    }
}

#[tokio::test]
async fn a_script_that_has_run_out_never_allows() {
    assert_eq!(failed(&judge_steps([]).await.outcome), FailureKind::Transport);
    assert_eq!(failed(&judge_steps([Step::text("1")]).await.outcome), FailureKind::Transport);
}

#[tokio::test(start_paused = true)]
async fn each_request_has_the_budget_and_a_timeout_is_no_judgement() {
    let settings = Settings { timeout: Duration::from_secs(1), ..Settings::default() };
    for (delay, allowed) in [(999, true), (1_001, false), (86_400_000, false)] {
        let model = Scripted::new("p/m", [Step::text("0").after(Duration::from_millis(delay))]);
        let verdict = Classifier::new(vec![model], Policy::default(), settings.clone())
            .classify(&case(), &ModelState::default())
            .await;
        assert_eq!(matches!(verdict.outcome, Outcome::Allow { .. }), allowed, "{delay} ms");
        assert_eq!(verdict.attempts[0].duration, Duration::from_millis(delay.min(1_000)));
        if !allowed {
            assert_eq!(failed(&verdict.outcome), FailureKind::Timeout);
            let Outcome::Failed { message, .. } = verdict.outcome else { panic!("{:?}", verdict.outcome) };
            assert_eq!(
                message,
                "The classifier p/m did not answer within 1000 ms; auto mode fails closed. This is no judgement of the call."
            );
            assert!(verdict.changes.is_empty(), "a timeout sets nothing aside");
        }
    }
    // The stages have separate budgets: 900 ms each is fine.
    let slow = |text: &str| Step::text(text).after(Duration::from_millis(900));
    let model = Scripted::new("p/m", [slow("1"), slow("?"), slow(GOOD)]);
    let verdict =
        Classifier::new(vec![model], Policy::default(), settings).classify(&case(), &ModelState::default()).await;
    assert!(matches!(verdict.outcome, Outcome::Allow { .. }));
}

#[tokio::test]
async fn an_action_that_does_not_fit_a_known_window_is_not_sent() {
    let action = ActionJson::new("bash", &json!({"command": "x".repeat(60_000)})).unwrap();
    for (window, sent) in [(8_000, false), (200_000, true)] {
        let model = Scripted::new("p/m", [Step::text("0")]).with_context_window(window);
        let judge = Classifier::new(vec![&model], Policy::default(), Settings::default());
        let verdict = judge.classify(&Case::new(action.clone()), &ModelState::default()).await;
        assert_eq!(model.requests().len(), usize::from(sent), "window {window}");
        if sent {
            assert!(model.requests()[0].messages[1].text.contains(&"x".repeat(60_000)), "whole");
        } else {
            assert_eq!(failed(&verdict.outcome), FailureKind::ContextOverflow);
            assert!(verdict.changes.is_empty());
        }
    }
}

#[tokio::test]
async fn both_stages_and_all_calls_share_the_prefix_byte_for_byte() {
    let model = Scripted::new("p/m", [Step::text("1"), Step::text(GOOD), Step::text("1"), Step::text(GOOD)]);
    let settings = Settings { cache_key: Some("portcullis-1".into()), ..Settings::default() };
    let judge = Classifier::new(vec![&model], Policy { hard_deny: vec!["no".into()], ..Policy::default() }, settings);
    let other = Case::new(ActionJson::new("write", &json!({"path": "a"})).unwrap());
    judge.classify(&case(), &ModelState::default()).await;
    judge.classify(&other, &ModelState::default()).await;
    let requests = model.requests();
    assert_eq!(requests.len(), 4);
    for request in &requests {
        assert_eq!(request.system, requests[0].system);
        assert_eq!(request.messages[0], requests[0].messages[0], "same transcript, same context message");
        assert_eq!(request.cache_key.as_deref(), Some("portcullis-1"));
        assert_eq!(request.messages.len(), 4);
    }
    for pair in requests.chunks(2) {
        assert_eq!(pair[0].messages[..3], pair[1].messages[..3], "only the instruction differs between stages");
        assert_ne!(pair[0].messages[3], pair[1].messages[3]);
        assert_eq!((pair[0].max_tokens, pair[1].max_tokens), (512, 1_200));
        assert_eq!((pair[0].json.is_some(), pair[1].json.is_some()), (false, true));
    }
    assert_ne!(requests[0].messages[1], requests[2].messages[1]);
}

#[tokio::test]
async fn reasoning_is_clamped_recorded_and_absent_unless_asked_for() {
    for (asked, levels, sent) in [
        (None, ReasoningLevel::ALL, None),
        (Some(ReasoningLevel::Max), &[ReasoningLevel::Low, ReasoningLevel::High][..], Some(ReasoningLevel::High)),
        (Some(ReasoningLevel::Low), &[][..], None),
    ] {
        let model = Scripted::new("p/m", [Step::text("0")]).with_reasoning_levels(levels);
        let settings = Settings { reasoning: asked, ..Settings::default() };
        let verdict =
            Classifier::new(vec![&model], Policy::default(), settings).classify(&case(), &ModelState::default()).await;
        assert_eq!(model.requests()[0].reasoning, sent);
        assert_eq!(verdict.attempts[0].reasoning, ReasoningUse::resolve(asked, levels));
    }
}

#[tokio::test]
async fn a_recorded_text_is_bounded() {
    let verdict = judge_steps([Step::text("é".repeat(100_000))]).await;
    let text = verdict.attempts[0].text.as_ref().unwrap();
    assert!(text.len() <= 16 * 1024 && text.len() > 16_000);
}
