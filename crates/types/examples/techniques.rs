//! The names of all techniques, a line each, as commands and scripts take them.

use skewer_types::Techniques;

fn main() {
    for (name, _) in Techniques::all().iter_names() {
        println!("{}", name.to_ascii_lowercase().replace('_', "-"));
    }
}
