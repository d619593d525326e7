//! `docs/uci.md` says of every option what the engine says of it.

use skewer::options::{Kind, OPTIONS};

#[test]
fn every_option_stands_in_the_manual_with_its_default_and_range() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/uci.md");
    let Ok(manual) = std::fs::read_to_string(path) else {
        // A published package does not carry the workspace's documents.
        println!("skipped: no docs/uci.md");
        return;
    };
    let rows: Vec<&str> = manual
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    for option in OPTIONS {
        let start = match option.kind {
            Kind::Check { default, .. } => format!("| check | {default} | true, false |"),
            Kind::Spin {
                default, min, max, ..
            } => format!("| spin | {default} | {min} .. {max} |"),
            Kind::Text { default, .. } => {
                assert_eq!(default, "", "{}", option.name);
                "| string | empty |  |".to_owned()
            }
            Kind::Button { .. } => "| button |  |  |".to_owned(),
        };
        let row = format!("| `{}` {start} {} |", option.name, option.meaning);
        assert!(rows.contains(&row.as_str()), "not in docs/uci.md:\n{row}");
    }
}
