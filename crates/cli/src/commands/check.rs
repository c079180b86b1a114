//! `check`: one decision, or many.

use std::{fs::File, io, path::Path};

use crate::{
    ambient::Ambient,
    args::CheckArgs,
    commands::{Failure, Output, batch, call},
    compose,
    render::{self, Paint},
    request::Unsaid,
};

/// Decides and prints. Answers the exit status.
pub(crate) fn run(args: &CheckArgs, ambient: &Ambient, out: &mut Output, paint: Paint) -> Result<u8, Failure> {
    if let Some(file) = &args.batch {
        return many(file, args, ambient, out);
    }
    let request = call::request(&args.call, ambient)?;
    let decision = compose::decide(request, ambient);
    if args.call.json {
        out.line(&render::decision_json(&decision, None).to_string());
    } else {
        out.line(&render::verdict_line(&decision, paint));
    }
    Ok(render::exit_status(decision.verdict))
}

fn many(file: &Path, args: &CheckArgs, ambient: &Ambient, out: &mut Output) -> Result<u8, Failure> {
    let cwd = call::directory(&args.call, ambient)?;
    let options = batch::Options {
        cwd,
        mode: call::mode(&args.call)?,
        unsaid: if args.call.non_interactive { Unsaid::Nobody } else { Unsaid::Person },
        reach: call::reach(&args.call),
    };
    let result = if file == Path::new("-") {
        batch::run(io::stdin().lock(), &options, ambient, out)
    } else {
        let opened = File::open(file).map_err(|error| Failure::usage(format!("{}: {error}", file.display())))?;
        batch::run(opened, &options, ambient, out)
    };
    result.map_err(|error| Failure::failed(format!("{}: {error}", file.display())))?;
    Ok(0)
}
