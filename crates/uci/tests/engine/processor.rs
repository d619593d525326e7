//! The binary on a processor that lacks what it was compiled for.

use std::process::{Command, Stdio};

#[cfg(target_arch = "x86_64")]
#[test]
fn a_processor_without_a_needed_extension_is_named() {
    // Simulated by an environment variable: a test cannot remove a feature of its processor.
    let output = Command::new(env!("CARGO_BIN_EXE_skewer"))
        .env("SKEWER_TEST_CPU_LACKS", "avx2,bmi2")
        .stdin(Stdio::null())
        .output()
        .expect("the engine starts");
    assert!(!output.status.success());
    let said = String::from_utf8(output.stdout).expect("plain text");
    let sentence = said.strip_prefix("info string ").expect("a remark");
    assert!(sentence.contains("bmi2, avx2"), "{sentence}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), sentence);
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn a_processor_that_lacks_nothing_runs_it() {
    let output = Command::new(env!("CARGO_BIN_EXE_skewer"))
        .arg("go depth 1")
        .env_remove("SKEWER_TEST_CPU_LACKS")
        .output()
        .expect("the engine starts");
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("\nbestmove "));
}
