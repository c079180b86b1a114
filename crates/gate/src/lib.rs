//! The decision pipeline of the Portcullis permission gate: modes, floor, stages, state, log
