//! Configuration layers, merge rules, profiles and diagnostics of the Portcullis permission gate
