//! Two-stage model classifier for agent tool calls: transports, prompts, protocols, transcripts
