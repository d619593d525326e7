//! The drawings of the pieces for pages.

/// The drawing of each kind, with its letter.
const PIECES: [(&str, &str); 6] = [
    ("p", include_str!("../../../assets/pieces/pawn.svg")),
    ("n", include_str!("../../../assets/pieces/knight.svg")),
    ("b", include_str!("../../../assets/pieces/bishop.svg")),
    ("r", include_str!("../../../assets/pieces/rook.svg")),
    ("q", include_str!("../../../assets/pieces/queen.svg")),
    ("k", include_str!("../../../assets/pieces/king.svg")),
];

/// The pieces as SVG symbols that a page can use: `wk`, `bk` and so on, each on a line.
pub fn symbols() -> String {
    let symbol = |id: String, drawing: &str| {
        format!("<symbol id=\"{id}\" viewBox=\"0 0 45 45\">{drawing}</symbol>\n")
    };
    let both = PIECES.map(|(letter, drawing)| {
        let inside = drawing.split_once('>').map_or("", |(_, rest)| rest);
        let white = inside.replace("</svg>", "").replace('\n', "");
        let black = white.replace("#fff", "#333").replace("#111", "#eee");
        symbol(format!("w{letter}"), &white) + &symbol(format!("b{letter}"), &black)
    });
    both.concat()
}
