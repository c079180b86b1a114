//! `check --batch`: JSON lines in, JSON lines out, in order. A row that can't be judged is denied and does not stop the rest.

use std::{
    collections::HashMap,
    io::{self, BufRead, BufReader, Read},
    path::PathBuf,
};

use portcullis_config::{Layer, LayerContent, LayerInput, Profile};
use portcullis_gate::{Mode, Person, Reach};
use serde_json::{Value, json};

use crate::{
    ambient::Ambient,
    commands::Output,
    compose::{self, Memory, Request, Setup},
    render,
    request::{self, Unsaid},
};

/// Longest row, as for a hook.
const ROW_LIMIT: usize = 16 * 1024 * 1024;

/// How many compiled settings are kept. A batch of cases has a few dozen; past this all are dropped, so memory stays bounded.
const KEPT: usize = 256;

/// What holds for rows that don't say otherwise.
#[derive(Debug)]
pub(crate) struct Options {
    /// Working directory.
    pub(crate) cwd: String,
    /// Permission mode.
    pub(crate) mode: Option<Mode>,
    /// Whether somebody can be asked.
    pub(crate) unsaid: Unsaid,
    /// How far decisions may reach.
    pub(crate) reach: Reach,
}

/// Answers each row. An error is one of reading.
pub(crate) fn run(source: impl Read, options: &Options, ambient: &Ambient, out: &mut Output) -> io::Result<()> {
    let mut source = BufReader::with_capacity(64 * 1024, source);
    let mut setups = Setups { ambient, made: HashMap::new() };
    let mut answers = String::new();
    loop {
        // Before waiting for more: who writes one row and reads one answer must not wait for ever.
        if source.buffer().is_empty() || answers.len() > 64 * 1024 {
            out.text(&answers);
            answers.clear();
        }
        if out.is_closed() {
            return Ok(());
        }
        let row = match read_row(&mut source)? {
            Row::End => break,
            Row::Text(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => continue,
            Row::Text(bytes) => answer(&bytes, options, &mut setups),
            Row::TooLong => refusal(None, &format!("the row is longer than {ROW_LIMIT} bytes")),
        };
        answers.push_str(&row.to_string());
        answers.push('\n');
    }
    out.text(&answers);
    Ok(())
}

enum Row {
    Text(Vec<u8>),
    TooLong,
    End,
}

fn read_row(source: &mut impl BufRead) -> io::Result<Row> {
    let mut bytes = Vec::new();
    let cap = u64::try_from(ROW_LIMIT).unwrap_or(u64::MAX).saturating_add(1);
    let read = source.by_ref().take(cap).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(Row::End);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() > ROW_LIMIT {
        source.skip_until(b'\n')?;
        return Ok(Row::TooLong);
    }
    Ok(Row::Text(bytes))
}

fn answer(bytes: &[u8], options: &Options, setups: &mut Setups) -> Value {
    let value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(error) => return refusal(None, &format!("the row is not JSON: {error}")),
    };
    let id = value.get("id");
    match decide(&value, options, setups) {
        Ok(decision) => render::decision_json(&decision, id),
        Err(problem) => refusal(id, &problem),
    }
}

fn decide(value: &Value, options: &Options, setups: &mut Setups) -> Result<portcullis_gate::Decision, String> {
    let mut call = request::parse(value, Some(&options.cwd), options.unsaid).map_err(|error| error.to_string())?;
    call.mode = call.mode.or(options.mode);
    let ambient = setups.ambient;
    let setup = setups.get(value.get("config"), &call.cwd)?;
    let person = if call.can_ask { Person::HostAsks } else { Person::Absent };
    let request = Request { call, person, reach: options.reach, memory: Memory::Look };
    Ok(compose::decide_with(request, setup, ambient))
}

/// INVARIANT 1: what can't be judged is denied.
fn refusal(id: Option<&Value>, problem: &str) -> Value {
    let mut row = serde_json::Map::new();
    if let Some(id) = id {
        row.insert("id".to_owned(), id.clone());
    }
    for (key, value) in [("verdict", json!("deny")), ("stage", json!("input")), ("local", json!(true))] {
        row.insert(key.to_owned(), value);
    }
    row.insert("reason".to_owned(), json!(problem));
    row.insert("error".to_owned(), json!(problem));
    Value::Object(row)
}

/// Compiled settings by their text and directory.
struct Setups<'a> {
    ambient: &'a Ambient,
    made: HashMap<(Option<String>, String), Setup>,
}

impl Setups<'_> {
    fn get(&mut self, config: Option<&Value>, cwd: &str) -> Result<&Setup, String> {
        let key = (config.filter(|config| !config.is_null()).map(Value::to_string), cwd.to_owned());
        if self.made.len() >= KEPT && !self.made.contains_key(&key) {
            self.made.clear();
        }
        let place = match self.made.entry(key) {
            std::collections::hash_map::Entry::Occupied(entry) => return Ok(entry.into_mut()),
            std::collections::hash_map::Entry::Vacant(place) => place,
        };
        let setup = match config {
            None | Some(Value::Null) => compose::setup(self.ambient, Some(std::path::Path::new(cwd))),
            Some(config) => compose::setup_from(&layers(config)?, self.ambient, PathBuf::from(cwd)),
        };
        Ok(place.insert(setup))
    }
}

/// A row's own settings, which count instead of the files: one settings object for the global layer, or `{"layers": {…}}`. A
/// layer may also be a string: the text of its file, broken ones included. Project layers count as trusted.
fn layers(config: &Value) -> Result<Vec<LayerInput>, String> {
    let Some(layers) = config.get("layers") else { return Ok(vec![layer(Layer::Global, config)]) };
    let layers = layers.as_object().ok_or("`config.layers` is not an object")?;
    let mut inputs = Vec::new();
    for (name, content) in layers {
        let known = match name.as_str() {
            "global" => Layer::Global,
            "shared" => Layer::SharedProject,
            "project_local" => Layer::ProjectLocal,
            "inline_env" => Layer::Inline,
            "managed" => Layer::Managed,
            _ => {
                return Err(format!(
                    "`{name}` is not a layer. Known: global, shared, project_local, inline_env, managed"
                ));
            }
        };
        inputs.push(layer(known, content));
    }
    Ok(inputs)
}

fn layer(layer: Layer, content: &Value) -> LayerInput {
    let text = match content {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    // As for the variable itself: blank is unset.
    let unset = layer == Layer::Inline && text.trim().is_empty();
    let content = if unset { LayerContent::Missing } else { LayerContent::Text(text) };
    LayerInput { layer, profile: Profile::Native, file: None, content, trusted: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlong_row_is_skipped_to_its_end() {
        let mut text = vec![b'x'; ROW_LIMIT + 10];
        text.extend_from_slice(b"\nnext\n");
        let mut source = text.as_slice();
        assert!(matches!(read_row(&mut source).unwrap(), Row::TooLong));
        assert!(matches!(read_row(&mut source).unwrap(), Row::Text(bytes) if bytes == b"next\n"));
        assert!(matches!(read_row(&mut source).unwrap(), Row::End));
    }

    #[test]
    fn settings_in_a_row() {
        let rows = [
            (json!({}), Ok(1), "empty settings"),
            (json!({"permissions": {}}), Ok(1), "one object is the global layer"),
            (
                json!({"layers": {"global": {}, "shared": "{ not json", "inline_env": ""}}),
                Ok(3),
                "layers, as objects or text",
            ),
            (json!({"layers": []}), Err(()), "layers of another type"),
            (json!({"layers": {"globl": {}}}), Err(()), "a misspelt layer might have held deny rules"),
        ];
        for (config, expected, why) in rows {
            assert_eq!(layers(&config).map(|inputs| inputs.len()).map_err(|_| ()), expected, "{why}");
        }
    }
}
