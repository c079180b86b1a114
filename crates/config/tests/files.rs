//! Layers from a real file system.

#![expect(clippy::unwrap_used, reason = "a test helper that fails should fail the test")]

use std::fs;
use std::path::Path;

use portcullis_config::{
    FsLayers, Layer, LayerSource, Loaded, Locations, ManagedOwner, Migration, MigrationPlan, Presence, Profile,
    SourceState, load,
};

fn put(path: &Path, text: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn locations(root: &Path) -> Locations {
    Locations {
        config_dir: Some(root.join("config")),
        project: Some(root.join("proj")),
        managed: Some(root.join("etc/config.json")),
        claude_managed: Some(root.join("etc/managed-settings.json")),
        managed_owner: ManagedOwner::Anyone,
        home: Some(root.join("home")),
        trusted: true,
        profiles: Profile::ALL.to_vec(),
        ..Locations::default()
    }
}

fn open(locations: &Locations) -> Loaded {
    load(&FsLayers::open(locations))
}

fn ids(loaded: &Loaded) -> Vec<&str> {
    loaded.diagnostics.iter().map(|finding| finding.id).collect()
}

#[test]
fn every_file_of_every_profile_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let mut locations = locations(dir.path());
    let rule = |name: &str| format!("{{ \"permissions\": {{ \"deny\": [\"{name}\"] }} }}");
    let mut expected = Vec::new();
    for (profile, layer, path) in locations.files() {
        if profile != Profile::PiPermissionSystem {
            let name = format!("{} {}", layer.name(), profile.name());
            put(&path, rule(&name).as_bytes());
            expected.push(name);
        }
    }
    locations.inline = Some(rule("inline native"));
    locations.pi_inline = Some(rule("inline pi"));
    expected.extend(["inline native".to_owned(), "inline pi".to_owned()]);
    let loaded = open(&locations);
    let mut found: Vec<_> = loaded.config.permissions.deny.iter().map(|rule| rule.text.clone()).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!((loaded.degraded, loaded.diagnostics), (None, vec![]));
}

#[test]
fn nothing_there_is_nothing_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let mut locations = locations(dir.path());
    locations.inline = Some("  ".to_owned());
    let loaded = open(&locations);
    assert!(loaded.sources.iter().all(|source| source.state == SourceState::Missing));
    assert_eq!((loaded.degraded, loaded.diagnostics), (None, vec![]));
}

#[test]
fn what_is_there_and_can_not_be_read_degrades() {
    let dir = tempfile::tempdir().unwrap();
    let locations = locations(dir.path());
    let path = dir.path().join("config/config.json");
    let huge = vec![b' '; 4 * 1024 * 1024 + 1];
    for (name, content) in [("invalid UTF-8", b"\xff{}".as_slice()), ("too large", &huge), ("empty", b"")] {
        put(&path, content);
        assert!(open(&locations).degraded.unwrap().contains("config.json"), "{name}");
    }
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(open(&locations).degraded.unwrap().contains("it is a directory"));
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_and_a_device_degrade() {
    let dir = tempfile::tempdir().unwrap();
    let locations = locations(dir.path());
    let path = dir.path().join("config/config.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    for target in ["nowhere", "/dev/zero", "config.json"] {
        std::os::unix::fs::symlink(target, &path).unwrap();
        assert!(open(&locations).degraded.is_some(), "{target}");
        fs::remove_file(&path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_managed_file_that_others_may_write_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let mut locations = locations(dir.path());
    locations.managed_owner = ManagedOwner::Root;
    let path = dir.path().join("etc/config.json");
    put(&path, b"{ \"mode\": \"bypassPermissions\" }");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    assert!(open(&locations).degraded.unwrap().contains("root"));
}

#[test]
fn a_legacy_file_is_moved_once_and_then_counts_from_its_new_place() {
    let dir = tempfile::tempdir().unwrap();
    let locations = locations(dir.path());
    let old = dir.path().join("home/.pi/agent/automode.json");
    let new = dir.path().join("home/.pi/agent/extensions/pi-automode/config.json");
    put(&old, b"{ \"autoMode\": { \"enabled\": false } }");
    let first = open(&locations);
    assert_eq!((ids(&first), first.config.auto_mode.enabled), (vec!["migrated"], false));
    assert!(!old.exists() && new.exists());
    let second = open(&locations);
    assert_eq!((ids(&second), second.config.auto_mode.enabled), (vec![], false));
    put(&old, b"{}");
    let conflict = open(&locations);
    assert_eq!((ids(&conflict), conflict.config.auto_mode.enabled), (vec!["migration-conflict"], false));
    assert!(old.exists(), "nothing is thrown away");
}

#[test]
fn a_legacy_file_that_can_not_be_moved_counts_for_the_session() {
    let dir = tempfile::tempdir().unwrap();
    let locations = locations(dir.path());
    put(&dir.path().join("home/.pi/agent/automode.json"), b"{ \"permissions\": { \"deny\": [\"d\"] } }");
    // A file where the new directory belongs.
    put(&dir.path().join("home/.pi/agent/extensions"), b"");
    let loaded = open(&locations);
    assert_eq!(ids(&loaded), ["migration-failed"]);
    assert_eq!(loaded.config.permissions.deny[0].text, "d");
}

#[test]
fn a_migration_is_planned_before_anything_is_touched() {
    let migration = Migration { from: "a".into(), to: "b".into() };
    let rows = [
        (Presence::Absent, Presence::Absent, MigrationPlan::Nothing),
        (Presence::Absent, Presence::Present, MigrationPlan::Nothing),
        (Presence::Present, Presence::Absent, MigrationPlan::Move(migration.clone())),
        (Presence::Present, Presence::Present, MigrationPlan::Conflict(migration.clone())),
    ];
    for (from, to, plan) in rows {
        assert_eq!(MigrationPlan::new(migration.clone(), from, to), plan);
    }
}

#[test]
fn native_files_always_count_and_others_only_when_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let mut locations = locations(dir.path());
    locations.profiles.clear();
    let layers = FsLayers::open(&locations).layers();
    assert!(layers.iter().all(|layer| layer.profile == Profile::Native));
    assert_eq!(layers.iter().filter(|layer| layer.layer == Layer::Global).count(), 1);
}

#[test]
fn in_the_home_directory_the_users_own_file_is_not_a_shared_one() {
    let dir = tempfile::tempdir().unwrap();
    let mut locations = locations(dir.path());
    locations.project = locations.home.clone();
    put(&dir.path().join("home/.claude/settings.json"), b"{ \"permissions\": { \"allow\": [\"a\"] } }");
    let loaded = open(&locations);
    assert_eq!((ids(&loaded), loaded.config.permissions.allow.len()), (vec![], 1));
}
