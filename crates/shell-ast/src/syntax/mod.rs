//! Bash syntax: lexer, parser and tree.

pub(crate) mod ast;
