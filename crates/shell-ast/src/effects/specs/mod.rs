//! Every known program, one file a family. A new program is one row of a family's sorted list; a new family is one file
//! and one line in [`FAMILIES`].

mod archives;
mod aws;
mod builtins;
mod cloud;
mod coreutils;
mod files;
mod git;
mod hosting;
mod listing;
mod network;
mod runs;
mod system;
mod text;
mod tools;
mod verbs;

use super::spec::{Entry, Form};

/// All families. A name stands in one of them only.
const FAMILIES: &[&[Entry]] = &[
    coreutils::PROGRAMS,
    text::PROGRAMS,
    git::PROGRAMS,
    builtins::PROGRAMS,
    listing::PROGRAMS,
    tools::PROGRAMS,
    files::PROGRAMS,
    runs::PROGRAMS,
    system::PROGRAMS,
    hosting::PROGRAMS,
    cloud::PROGRAMS,
    archives::PROGRAMS,
    network::PROGRAMS,
];

/// The spec of a program.
pub(super) fn find(name: &str) -> Option<Form> {
    FAMILIES.iter().find_map(|family| {
        let at = family.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
        family.get(at).map(|(_, form)| *form)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::FAMILIES;

    #[test]
    fn families_are_sorted_and_no_name_stands_twice() {
        let mut seen = BTreeSet::new();
        for family in FAMILIES {
            for pair in family.windows(2) {
                assert!(pair[0].0 < pair[1].0, "{} must stand before {}", pair[1].0, pair[0].0);
            }
            for (name, _) in *family {
                assert!(seen.insert(*name), "{name} stands in two families");
            }
        }
        assert!(seen.len() > 250, "only {} programs", seen.len());
    }
}
