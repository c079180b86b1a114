//! A TCP server that answers with exactly the bytes it is told, at the pace it is told: for what an HTTP mock can't do.

use std::{future::Future, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::oneshot,
    task::JoinHandle,
};

/// What the server does with each connection, once it has read the request.
#[derive(Clone)]
pub(crate) enum Behaviour {
    /// Sends these bytes and closes.
    Send(String),
    /// Sends these bytes, then one byte more every 20 ms for ever.
    Drip(String),
    /// Sends these bytes, then 64 KiB of filler again and again for ever.
    Endless(String),
    /// Sends nothing.
    Hang,
    /// Closes without a word.
    Close,
}

/// A running server.
pub(crate) struct Server {
    pub(crate) url: String,
    /// Resolves when a client has closed its connection.
    pub(crate) closed: oneshot::Receiver<()>,
    task: JoinHandle<u32>,
}

impl Server {
    pub(crate) async fn start(behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (sender, closed) = oneshot::channel();
        let task = tokio::spawn(async move {
            let mut sender = Some(sender);
            let mut served = 0_u32;
            // Waits a moment after the first connection for a second attempt, which there must not be.
            while let Some(Ok((stream, _))) = first_or_soon(&listener, served).await {
                served = served.saturating_add(1);
                serve(stream, behaviour.clone()).await;
                if let Some(sender) = sender.take() {
                    let _ = sender.send(());
                }
            }
            served
        });
        Self { url, closed, task }
    }

    /// How many connections there were. Ends the server.
    pub(crate) async fn connections(self) -> u32 {
        self.task.await.unwrap()
    }
}

async fn first_or_soon(
    listener: &TcpListener,
    served: u32,
) -> Option<std::io::Result<(TcpStream, std::net::SocketAddr)>> {
    if served == 0 {
        return Some(listener.accept().await);
    }
    tokio::time::timeout(Duration::from_millis(150), listener.accept()).await.ok()
}

async fn serve(mut stream: TcpStream, behaviour: Behaviour) {
    read_request(&mut stream).await;
    let (mut reader, mut writer) = stream.into_split();
    let gone = async move {
        let mut rest = [0; 64];
        while matches!(reader.read(&mut rest).await, Ok(count) if count > 0) {}
    };
    let speak = async move {
        match behaviour {
            Behaviour::Send(bytes) => drop(writer.write_all(bytes.as_bytes()).await),
            Behaviour::Close => {}
            Behaviour::Hang => std::future::pending().await,
            Behaviour::Drip(bytes) => {
                let _ = writer.write_all(bytes.as_bytes()).await;
                while writer.write_all(b" ").await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
            Behaviour::Endless(bytes) => {
                let _ = writer.write_all(bytes.as_bytes()).await;
                while writer.write_all(&vec![b'x'; 65_536]).await.is_ok() {}
            }
        }
    };
    either(gone, speak).await;
}

async fn either(one: impl Future<Output = ()>, other: impl Future<Output = ()>) {
    tokio::select! { () = one => {}, () = other => {} }
}

/// Reads headers and as much body as they announce.
async fn read_request(stream: &mut TcpStream) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 8_192];
    loop {
        let count = stream.read(&mut buffer).await.unwrap_or(0);
        if count == 0 {
            return;
        }
        bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
        let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        let Some(end) = text.find("\r\n\r\n") else { continue };
        let announced = text
            .split("content-length: ")
            .nth(1)
            .and_then(|rest| rest.split("\r\n").next())
            .and_then(|number| number.parse().ok());
        if bytes.len() >= announced.unwrap_or(0_usize).saturating_add(end).saturating_add(4) {
            return;
        }
    }
}
