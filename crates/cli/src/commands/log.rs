//! `log`: the decision log, for people and programs.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
    thread,
    time::Duration,
};

use portcullis_gate::FsLog;
use serde_json::{Value, json};

use crate::{
    ambient::Ambient,
    commands::{Failure, Output},
    render::{Paint, Tone, plain},
};

/// Bytes of the end of the log that are looked at for the last lines.
const TAIL: u64 = 16 * 1024 * 1024;
/// How often a followed log is looked at.
const PAUSE: Duration = Duration::from_millis(200);

/// How entries are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    People,
    Json,
}

/// Whether to wait for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    Now,
    Interrupted,
}

/// Prints the last entries, and those to come.
pub(crate) fn print(
    lines: usize,
    until: Until,
    form: Form,
    ambient: &Ambient,
    out: &mut Output,
    paint: Paint,
) -> Result<(), Failure> {
    let path = path(ambient)?;
    if until == Until::Now && !path.exists() {
        return Err(Failure::failed(nothing(&path)));
    }
    let (text, mut position) =
        end_of(&path).map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
    let shown: Vec<&str> = text.lines().filter(|line| form == Form::Json || is_decision(line)).collect();
    for line in shown.iter().skip(shown.len().saturating_sub(lines)) {
        show(line, form, out, paint);
    }
    let mut rest = String::new();
    while until == Until::Interrupted && !out.is_closed() {
        thread::sleep(PAUSE);
        let Ok((more, now)) = after(&path, position) else { continue };
        position = now;
        rest.push_str(&more);
        // The last line may still be being written.
        while let Some((line, tail)) = rest.split_once('\n') {
            if form == Form::Json || is_decision(line) {
                show(line, form, out, paint);
            }
            rest = tail.to_owned();
        }
    }
    Ok(())
}

/// Counts decisions by verdict, stage and tool.
pub(crate) fn stats(form: Form, ambient: &Ambient, out: &mut Output) -> Result<(), Failure> {
    let path = path(ambient)?;
    if !path.exists() {
        return Err(Failure::failed(nothing(&path)));
    }
    let (text, _) = end_of(&path).map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
    let mut counts: [BTreeMap<String, u64>; 3] = Default::default();
    let mut total: u64 = 0;
    for entry in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        if entry.get("type").and_then(Value::as_str) != Some("decision") {
            continue;
        }
        total = total.saturating_add(1);
        for (count, key) in counts.iter_mut().zip(["outcome", "kind", "tool"]) {
            let value = entry.get(key).and_then(Value::as_str).unwrap_or("?").to_owned();
            let slot = count.entry(value).or_default();
            *slot = slot.saturating_add(1);
        }
    }
    let [outcomes, stages, tools] = counts;
    if form == Form::Json {
        out.line(&json!({"decisions": total, "verdicts": outcomes, "stages": stages, "tools": tools}).to_string());
        return Ok(());
    }
    out.line(&format!("{total} decisions"));
    for (name, count) in [("verdict", outcomes), ("stage", stages), ("tool", tools)] {
        let mut rows: Vec<(String, u64)> = count.into_iter().collect();
        rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        for (value, count) in rows {
            out.line(&format!("  {name:<8} {:<28} {count}", plain(&value)));
        }
    }
    Ok(())
}

fn path(ambient: &Ambient) -> Result<std::path::PathBuf, Failure> {
    let directory = ambient.state_dir.as_deref();
    let directory =
        directory.ok_or_else(|| Failure::failed("there is no place for a log: set HOME or XDG_STATE_HOME"))?;
    Ok(FsLog::path_below(directory))
}

fn nothing(path: &Path) -> String {
    format!(
        "there is no log at {} yet. Set \"autoMode\": {{\"log\": {{\"enabled\": true}}}} to keep one",
        path.display()
    )
}

/// The end of the file from a whole line on, and how long the file is. A missing file is empty.
fn end_of(path: &Path) -> io::Result<(String, u64)> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((String::new(), 0)),
        Err(error) => return Err(error),
    };
    let length = file.metadata()?.len();
    let start = length.saturating_sub(TAIL);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(length.saturating_sub(start)).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let whole =
        if start == 0 { text } else { text.split_once('\n').map(|(_, rest)| rest.to_owned()).unwrap_or_default() };
    Ok((whole, length))
}

/// What was added since `position`. A log that became shorter was moved aside: the new one is read from its start.
fn after(path: &Path, position: u64) -> io::Result<(String, u64)> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let start = if length < position { 0 } else { position };
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    let read = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    Ok((String::from_utf8_lossy(&bytes).into_owned(), start.saturating_add(read)))
}

fn is_decision(line: &str) -> bool {
    line.contains("\"type\":\"decision\"")
}

fn show(line: &str, form: Form, out: &mut Output, paint: Paint) {
    if form == Form::Json {
        out.line(line);
        return;
    }
    let Ok(entry) = serde_json::from_str::<Value>(line) else { return };
    let text = |key: &str| plain(entry.get(key).and_then(Value::as_str).unwrap_or_default());
    let outcome = text("outcome");
    let tone = match outcome.as_str() {
        "allow" => Tone::Good,
        "deny" => Tone::Bad,
        "ask" | "undecided" => Tone::Caution,
        _ => Tone::Quiet,
    };
    out.line(&format!(
        "{}  {}  {}  {}: {}",
        text("ts"),
        paint.apply(tone, &outcome),
        text("kind"),
        text("tool"),
        text("summary")
    ));
    out.line(&format!("    {}", text("reason")));
}
