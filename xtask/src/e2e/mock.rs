//! A mock of the Anthropic Messages API: the first turn asks for one Bash call, the turn after it ends.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    thread,
};

use serde_json::{Value, json};

use crate::sh::Problem;

/// Largest request body that is read. Claude Code's are about 150 KiB.
const BODY_LIMIT: u64 = 16 * 1024 * 1024;

/// Starts the mock; it serves until the process ends. Returns its port.
pub(crate) fn start(command: &str) -> Result<u16, Problem> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| format!("mock model: {error}"))?;
    let port = listener.local_addr().map_err(|error| format!("mock model: {error}"))?.port();
    let command = command.to_owned();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let command = command.clone();
            thread::spawn(move || drop(serve(&stream, &command)));
        }
    });
    Ok(port)
}

/// Answers one request and closes the connection.
fn serve(stream: &TcpStream, command: &str) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut request_line = String::new();
    reader.read_line(&mut request_line)?;
    let mut length = 0_u64;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = Vec::new();
    reader.take(length.min(BODY_LIMIT)).read_to_end(&mut body)?;
    let (kind, text) = if request_line.contains("/v1/messages") && !request_line.contains("count_tokens") {
        ("text/event-stream", turn(&body, command))
    } else {
        ("application/json", "{}".to_owned())
    };
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}",
        text.len()
    )
}

/// The events of one assistant turn.
fn turn(body: &[u8], command: &str) -> String {
    let request: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
    let answered = request.get("messages").is_some_and(|messages| messages.to_string().contains("\"tool_result\""));
    let (block, delta, stop) = if answered {
        (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": "done"}), "end_turn")
    } else {
        let input = json!({"command": command, "description": "make the proof file"});
        (
            json!({"type": "tool_use", "id": "toolu_portcullis_1", "name": "Bash", "input": {}}),
            json!({"type": "input_json_delta", "partial_json": input.to_string()}),
            "tool_use",
        )
    };
    let message = json!({"id": "msg_mock", "type": "message", "role": "assistant", "model": "mock", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 1, "output_tokens": 1}});
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null}, "usage": {"output_tokens": 1}}),
        json!({"type": "message_stop"}),
    ];
    let written = events.iter().map(|event| {
        let name = event.get("type").and_then(Value::as_str).unwrap_or_default();
        format!("event: {name}\ndata: {event}\n\n")
    });
    written.collect()
}
