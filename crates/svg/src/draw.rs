//! The parts of pictures: the document around them, lines and texts.

const STYLE: &str = "\
text{font:12px sans-serif;fill:#222}.title{font-size:17px;font-weight:600}.soft{fill:#666}\
.page{fill:#fff}.grid{stroke:#ddd}.axis{stroke:#222}.whisker{stroke:#222;stroke-width:1.5}\
.plain{fill:#3b6ea8}.good{fill:#3a8f5c}.mixed{fill:#d9a227}.bad{fill:#c0483c}.unknown{fill:#9aa0a6}\
@media(prefers-color-scheme:dark){text{fill:#e6e6e6}.soft{fill:#a0a0a0}.page{fill:#16181c}\
.grid{stroke:#33363c}.axis,.whisker{stroke:#e6e6e6}.plain{fill:#6d9fd8}.good{fill:#5cb883}\
.mixed{fill:#e3b94f}.bad{fill:#e0786c}.unknown{fill:#7b8087}}";

/// An SVG document of this size in pixels, with a title for viewers and screen readers, and with the elements of
/// `body`.
///
/// Its styles are classes: `title` and `soft` for texts, `grid`, `axis` and `whisker` for lines, and `plain`, `good`, `mixed`,
/// `bad` and `unknown` for areas. They follow the light or dark mode of the page around the picture.
pub fn document(title: &str, width: f64, height: f64, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n{body}</svg>",
        escape(title)
    )
}

/// A line of this class between two points.
pub fn line(class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> String {
    format!(
        "<line class=\"{class}\" x1=\"{x1:.1}\" x2=\"{x2:.1}\" y1=\"{y1:.1}\" y2=\"{y2:.1}\"/>\n"
    )
}

/// A text whose `anchor` (start, middle or end) is at this point.
pub fn text(class: &str, anchor: &str, (x, y): (f64, f64), content: &str) -> String {
    let content = escape(content);
    format!(
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{content}</text>\n"
    )
}

/// The text as the content of an element or the value of an attribute.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
