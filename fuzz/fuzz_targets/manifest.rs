//! Any bytes can be read as a manifest: an accepted manifest is written and read back the same.
#![no_main]

#[path = "../../crates/analysis-cli/src/manifest.rs"]
mod manifest;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(read) = manifest::Manifest::parse(bytes) {
        let text = read.to_text().expect("it is plain data");
        let again = manifest::Manifest::parse(text.as_bytes()).expect("it was written");
        assert_eq!(again, read);
        // Another version is refused.
        assert_eq!(read.schema, manifest::SCHEMA);
    }
});
