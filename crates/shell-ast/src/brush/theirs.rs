//! The commands of brush-parser's tree, its opaque strings parsed in turn.
//!
//! It keeps substitutions, operands and here-document bodies as text, and falls back to plain text where its word
//! grammar does not match. Any error on the way, and any plain text that still holds an expansion, is a difference.

use brush_parser::ast::{
    self, Assignment, AssignmentName, AssignmentValue, Command, CommandPrefixOrSuffixItem, CompoundCommand,
    CompoundList, ExtendedTestExpr, IoFileRedirectKind, IoFileRedirectTarget, IoRedirect, Pipeline, SimpleCommand,
    Word,
};
use brush_parser::word::{self, Parameter, ParameterExpr, WordPiece, WordPieceWithSource};
use brush_parser::{ParserOptions, parse_tokens, uncached_tokenize_str};

use super::{Flat, Token};

type Outcome = Result<(), String>;

/// Deepest recursion over re-parsed text.
const MAX_DEPTH: usize = 24;
/// Most strings that are parsed again.
const MAX_PARSES: usize = 20_000;

struct Reader {
    options: ParserOptions,
    commands: Vec<Flat>,
    depth: usize,
    parses: usize,
}

/// How a string is quoted where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoting {
    /// As a word.
    Word,
    /// As in double quotes or a here-document: quotes are text.
    Text,
}

/// Every command brush-parser finds in `source`.
pub(super) fn commands(source: &str) -> Result<Vec<Flat>, String> {
    let options = ParserOptions { enable_extended_globbing: false, ..ParserOptions::default() };
    let mut reader = Reader { options, commands: Vec::new(), depth: 0, parses: 0 };
    reader.program(source)?;
    Ok(reader.commands)
}

impl Reader {
    fn program(&mut self, source: &str) -> Outcome {
        self.deeper(|reader| {
            let tokens = uncached_tokenize_str(source, &reader.options.tokenizer_options())
                .map_err(|error| format!("brush-parser refuses the text: {error}"))?;
            let program =
                parse_tokens(&tokens, &reader.options).map_err(|_| "brush-parser refuses the text".to_owned())?;
            program.complete_commands.iter().try_for_each(|list| reader.list(list))
        })
    }

    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        self.parses = self.parses.saturating_add(1);
        if self.depth >= MAX_DEPTH || self.parses > MAX_PARSES {
            return Err("brush-parser's tree is too deep".to_owned());
        }
        self.depth = self.depth.saturating_add(1);
        let outcome = read(self);
        self.depth = self.depth.saturating_sub(1);
        outcome
    }

    fn list(&mut self, list: &CompoundList) -> Outcome {
        for item in &list.0 {
            self.pipeline(&item.0.first)?;
            for next in &item.0.additional {
                match next {
                    ast::AndOr::And(pipeline) | ast::AndOr::Or(pipeline) => self.pipeline(pipeline)?,
                }
            }
        }
        Ok(())
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Outcome {
        pipeline.seq.iter().try_for_each(|command| self.command(command))
    }

    fn command(&mut self, command: &Command) -> Outcome {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound, redirects) => {
                self.compound(compound)?;
                self.redirects(redirects.as_ref())
            }
            Command::Function(function) => {
                self.compound(&function.body.0)?;
                self.redirects(function.body.1.as_ref())
            }
            Command::ExtendedTest(test, redirects) => {
                self.test(&test.expr)?;
                self.redirects(redirects.as_ref())
            }
        }
    }

    fn redirects(&mut self, redirects: Option<&ast::RedirectList>) -> Outcome {
        let mut tokens = Vec::new();
        redirects.iter().flat_map(|list| &list.0).try_for_each(|redirect| self.redirect(redirect, &mut tokens))
    }

    fn compound(&mut self, compound: &CompoundCommand) -> Outcome {
        match compound {
            CompoundCommand::Arithmetic(arithmetic) => self.text(&arithmetic.expr.value),
            CompoundCommand::ArithmeticForClause(clause) => {
                for part in [&clause.initializer, &clause.condition, &clause.updater].into_iter().flatten() {
                    self.text(&part.value)?;
                }
                self.list(&clause.body.list)
            }
            CompoundCommand::BraceGroup(group) => self.list(&group.list),
            CompoundCommand::Subshell(subshell) => self.list(&subshell.list),
            CompoundCommand::ForClause(clause) => {
                for word in clause.values.iter().flatten() {
                    self.word(word)?;
                }
                self.list(&clause.body.list)
            }
            CompoundCommand::CaseClause(clause) => {
                self.word(&clause.value)?;
                for case in &clause.cases {
                    for pattern in &case.patterns {
                        self.word(pattern)?;
                    }
                    case.cmd.iter().try_for_each(|body| self.list(body))?;
                }
                Ok(())
            }
            CompoundCommand::IfClause(clause) => {
                self.list(&clause.condition)?;
                self.list(&clause.then)?;
                for part in clause.elses.iter().flatten() {
                    part.condition.iter().try_for_each(|condition| self.list(condition))?;
                    self.list(&part.body)?;
                }
                Ok(())
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                self.list(&clause.0)?;
                self.list(&clause.1.list)
            }
            CompoundCommand::Coprocess(coprocess) => self.command(&coprocess.body),
        }
    }

    fn test(&mut self, test: &ExtendedTestExpr) -> Outcome {
        self.deeper(|reader| match test {
            ExtendedTestExpr::And(left, right) | ExtendedTestExpr::Or(left, right) => {
                reader.test(left)?;
                reader.test(right)
            }
            ExtendedTestExpr::Not(inner) | ExtendedTestExpr::Parenthesized(inner) => reader.test(inner),
            ExtendedTestExpr::UnaryTest(_, word) => reader.word(word).map(|_| ()),
            ExtendedTestExpr::BinaryTest(_, left, right) => {
                reader.word(left)?;
                reader.word(right).map(|_| ())
            }
        })
    }

    fn simple(&mut self, simple: &SimpleCommand) -> Outcome {
        let index = self.commands.len();
        self.commands.push(Flat::default());
        let (mut words, mut redirects) = (Vec::new(), Vec::new());
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            match item {
                CommandPrefixOrSuffixItem::AssignmentWord(assignment, _) => {
                    words.push(Token::Assignment(self.assignment(assignment)?));
                }
                other => self.item(other, &mut words, &mut redirects)?,
            }
        }
        if let Some(name) = &simple.word_or_name {
            words.push(self.word(name)?);
        }
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            self.item(item, &mut words, &mut redirects)?;
        }
        words.append(&mut redirects);
        if let Some(slot) = self.commands.get_mut(index) {
            *slot = Flat(words);
        }
        Ok(())
    }

    fn item(
        &mut self,
        item: &CommandPrefixOrSuffixItem,
        words: &mut Vec<Token>,
        redirects: &mut Vec<Token>,
    ) -> Outcome {
        match item {
            CommandPrefixOrSuffixItem::IoRedirect(redirect) => self.redirect(redirect, redirects),
            CommandPrefixOrSuffixItem::Word(word) => {
                words.push(self.word(word)?);
                Ok(())
            }
            CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => {
                match &assignment.value {
                    AssignmentValue::Scalar(_) => words.push(self.word(word)?),
                    AssignmentValue::Array(_) => {
                        self.assignment(assignment)?;
                        words.push(Token::Any);
                    }
                }
                Ok(())
            }
            CommandPrefixOrSuffixItem::ProcessSubstitution(_, subshell) => {
                words.push(Token::Any);
                self.list(&subshell.list)
            }
        }
    }

    fn assignment(&mut self, assignment: &Assignment) -> Result<String, String> {
        let name = match &assignment.name {
            AssignmentName::VariableName(name) => name.clone(),
            AssignmentName::ArrayElementName(name, index) => {
                self.string(index, Quoting::Word)?;
                name.clone()
            }
        };
        match &assignment.value {
            AssignmentValue::Scalar(word) => {
                self.word(word)?;
            }
            AssignmentValue::Array(items) => {
                for (key, value) in items {
                    if let Some(key) = key {
                        self.word(key)?;
                    }
                    self.word(value)?;
                }
            }
        }
        Ok(name)
    }

    fn redirect(&mut self, redirect: &IoRedirect, tokens: &mut Vec<Token>) -> Outcome {
        match redirect {
            IoRedirect::File(_, kind, target) => {
                let operator = match kind {
                    IoFileRedirectKind::Read => "<",
                    IoFileRedirectKind::Write => ">",
                    IoFileRedirectKind::Append => ">>",
                    IoFileRedirectKind::ReadAndWrite => "<>",
                    IoFileRedirectKind::Clobber => ">|",
                    IoFileRedirectKind::DuplicateInput => "<&",
                    IoFileRedirectKind::DuplicateOutput => ">&",
                };
                let (operator, target) = match target {
                    IoFileRedirectTarget::Filename(word) => (operator, self.word(word)?),
                    IoFileRedirectTarget::Duplicate(word) => {
                        let token = self.word(word)?;
                        // `>&file` writes both streams to a file (bash manual, "Redirections").
                        let is_fd = matches!(&token, Token::Word(text) if text.bytes().all(|b| b.is_ascii_digit() || b == b'-'));
                        (if operator == ">&" && !is_fd { "&>" } else { operator }, token)
                    }
                    IoFileRedirectTarget::Fd(fd) => (operator, Token::Word(fd.to_string())),
                    IoFileRedirectTarget::ProcessSubstitution(_, subshell) => {
                        self.list(&subshell.list)?;
                        (operator, Token::Any)
                    }
                };
                tokens.push(Token::Redirect(operator));
                tokens.push(target);
            }
            IoRedirect::HereDocument(_, doc) => {
                tokens.push(Token::Redirect("<<"));
                if doc.requires_expansion {
                    self.text(&doc.doc.value)?;
                }
            }
            IoRedirect::HereString(_, word) => {
                tokens.push(Token::Redirect("<<<"));
                tokens.push(self.word(word)?);
            }
            IoRedirect::OutputAndError(word, append) => {
                tokens.push(Token::Redirect(if *append { "&>>" } else { "&>" }));
                tokens.push(self.word(word)?);
            }
        }
        Ok(())
    }

    fn word(&mut self, word: &Word) -> Result<Token, String> {
        if !word.value.contains(['\'', '"', '\\', '$', '`', '~', '<', '>']) {
            return Ok(Token::Word(word.value.clone()));
        }
        let mut literal = Some(String::new());
        self.pieces_of(&word.value, Quoting::Word, &mut literal)?;
        Ok(literal.map_or(Token::Any, Token::Word))
    }

    fn text(&mut self, text: &str) -> Outcome {
        self.string(text, Quoting::Text)
    }

    fn string(&mut self, text: &str, quoting: Quoting) -> Outcome {
        if !text.contains(['$', '`', '<', '>', '\'', '"', '\\']) {
            return Ok(());
        }
        self.pieces_of(text, quoting, &mut None)
    }

    fn pieces_of(&mut self, text: &str, quoting: Quoting, literal: &mut Option<String>) -> Outcome {
        self.deeper(|reader| {
            let pieces = match quoting {
                Quoting::Word => word::parse(text, &reader.options),
                Quoting::Text => word::parse_heredoc(text, &reader.options),
            };
            let pieces = pieces.map_err(|_| format!("brush-parser refuses the word `{text}`"))?;
            reader.pieces(text, &pieces, quoting, literal)
        })
    }

    fn pieces(
        &mut self,
        source: &str,
        pieces: &[WordPieceWithSource],
        quoting: Quoting,
        literal: &mut Option<String>,
    ) -> Outcome {
        for piece in pieces {
            match &piece.piece {
                WordPiece::Text(text) => {
                    let hidden = ["$(", "${", "$[", "`"].iter().any(|open| text.contains(open))
                        || (quoting == Quoting::Word && (text.contains("<(") || text.contains(">(")));
                    if hidden {
                        return Err(format!("brush-parser takes an expansion for text: `{text}`"));
                    }
                    push(literal, text);
                }
                WordPiece::SingleQuotedText(text) => push(literal, text),
                // Not decoded by brush-parser; ours is compared as equal to any.
                WordPiece::AnsiCQuotedText(_) => *literal = None,
                WordPiece::DoubleQuotedSequence(inner) | WordPiece::GettextDoubleQuotedSequence(inner) => {
                    self.pieces(source, inner, Quoting::Text, literal)?;
                }
                WordPiece::TildeExpansion(_) => {
                    let text = source.get(piece.start_index..piece.end_index).unwrap_or("~");
                    push(literal, text);
                }
                WordPiece::EscapeSequence(text) => {
                    push(literal, text.strip_prefix('\\').unwrap_or(text));
                }
                WordPiece::ParameterExpansion(expression) => {
                    *literal = None;
                    self.parameter(expression, quoting)?;
                }
                WordPiece::CommandSubstitution(text) => {
                    *literal = None;
                    self.program(text)?;
                }
                WordPiece::BackquotedCommandSubstitution(text) => {
                    *literal = None;
                    self.program(&unescape(text, quoting))?;
                }
                WordPiece::ArithmeticExpression(expression) => {
                    *literal = None;
                    self.text(&expression.value)?;
                }
            }
        }
        Ok(())
    }

    fn parameter(&mut self, expression: &ParameterExpr, quoting: Quoting) -> Outcome {
        let (parameter, operands): (&Parameter, Vec<&str>) = match expression {
            ParameterExpr::Parameter { parameter, .. }
            | ParameterExpr::ParameterLength { parameter, .. }
            | ParameterExpr::Transform { parameter, .. } => (parameter, Vec::new()),
            ParameterExpr::UseDefaultValues { parameter, default_value: operand, .. }
            | ParameterExpr::AssignDefaultValues { parameter, default_value: operand, .. }
            | ParameterExpr::IndicateErrorIfNullOrUnset { parameter, error_message: operand, .. }
            | ParameterExpr::UseAlternativeValue { parameter, alternative_value: operand, .. }
            | ParameterExpr::RemoveSmallestSuffixPattern { parameter, pattern: operand, .. }
            | ParameterExpr::RemoveLargestSuffixPattern { parameter, pattern: operand, .. }
            | ParameterExpr::RemoveSmallestPrefixPattern { parameter, pattern: operand, .. }
            | ParameterExpr::RemoveLargestPrefixPattern { parameter, pattern: operand, .. }
            | ParameterExpr::UppercaseFirstChar { parameter, pattern: operand, .. }
            | ParameterExpr::UppercasePattern { parameter, pattern: operand, .. }
            | ParameterExpr::LowercaseFirstChar { parameter, pattern: operand, .. }
            | ParameterExpr::LowercasePattern { parameter, pattern: operand, .. } => {
                (parameter, operand.as_deref().into_iter().collect())
            }
            ParameterExpr::Substring { parameter, offset, length, .. } => {
                let length = length.as_ref().map(|length| length.value.as_str());
                (parameter, std::iter::once(offset.value.as_str()).chain(length).collect())
            }
            ParameterExpr::ReplaceSubstring { parameter, pattern, replacement, .. } => {
                (parameter, std::iter::once(pattern.as_str()).chain(replacement.as_deref()).collect())
            }
            ParameterExpr::VariableNames { .. } | ParameterExpr::MemberKeys { .. } => return Ok(()),
        };
        if let Parameter::NamedWithIndex { index, .. } = parameter {
            self.string(index, Quoting::Word)?;
        }
        operands.iter().try_for_each(|operand| self.string(operand, quoting))
    }
}

fn push(literal: &mut Option<String>, text: &str) {
    if let Some(literal) = literal {
        literal.push_str(text);
    }
}

/// In backquotes a backslash also escapes `\` and `$`, and in double quotes `"` (bash manual, "Command Substitution").
fn unescape(text: &str, quoting: Quoting) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escapes = match chars.peek() {
            Some('\\' | '$' | '`') => true,
            Some('"') => quoting == Quoting::Text,
            Some(_) | None => false,
        };
        match c {
            '\\' if escapes => out.extend(chars.next()),
            c => out.push(c),
        }
    }
    out
}
