//! Files of other programs.

use skewer_pgn::Foreign;

use crate::expect;

/// The format of a file that is not text is named.
#[test]
fn files_of_other_formats() {
    expect(
        "t.zip",
        &["cannot read: it is a ZIP archive; unzip it, and give the .pgn file in it"],
    );
    // A document that is stored as a ZIP archive is named as a document.
    let zip = |name: &str, text: &str| {
        let mut bytes = b"PK\x03\x04".to_vec();
        bytes.extend([0; 22]);
        bytes.extend([name.len() as u8, 0, 0, 0]);
        bytes.extend(name.bytes().chain(text.bytes()));
        Foreign::of(&bytes).expect("a format")
    };
    let open = "application/vnd.oasis.opendocument";
    for (name, text, file, expected) in [
        ("[Content_Types].xml", "", "a.docx", "it is a Word document"),
        ("_rels/.rels", "", "a.xlsx", "it is an Excel workbook"),
        (
            "docProps/app.xml",
            "",
            "a",
            "it is a document of Microsoft Office",
        ),
        ("word/document.xml", "", "a", "it is a Word document"),
        ("xl/workbook.xml", "", "a", "it is an Excel workbook"),
        (
            "mimetype",
            &format!("{open}.text"),
            "a.odt",
            "it is an OpenDocument text",
        ),
        (
            "mimetype",
            &format!("{open}.spreadsheetPK"),
            "a.ods",
            "it is an OpenDocument spreadsheet",
        ),
        (
            "mimetype",
            "application/epub+zip",
            "a.epub",
            "it is a book in EPUB",
        ),
        (
            "games.pgn",
            "",
            "a.docx",
            "it is a ZIP archive; unzip it, and give the .pgn file in it",
        ),
        (
            "word.pgn",
            "",
            "a.zip",
            "it is a ZIP archive; unzip it, and give the .pgn file in it",
        ),
    ] {
        let said = zip(name, text).or_named(file).to_string();
        assert!(said.starts_with(expected), "{name}: {said}");
    }
    for (bytes, expected) in [
        (&b"{\"games\": [{\"url\": 1}]}"[..], "it is JSON"),
        (b"[\n {\"id\": \"x\"}]", "it is JSON"),
        (b"7z\xbc\xaf\x27\x1c", "it is a 7-Zip archive"),
        (b"Rar!\x1a\x07\x01\x00", "it is a RAR archive"),
        (b"\xfd7zXZ\0", "it is a file compressed by xz"),
        (b"MSCF\0\0\0\0", "it is a CAB archive"),
    ] {
        let said = Foreign::of(bytes)
            .map(|format| format.to_string())
            .unwrap_or_default();
        assert!(said.starts_with(expected), "{said}");
    }
    // A comment in braces is text, also with a quote in it.
    assert_eq!(Foreign::of(b"{\"Well played\", he said} 1. e4 *"), None);
}
