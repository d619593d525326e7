//! Parsers of arguments of the command line. Errors are messages for the user.

use skewer_types::Techniques;

pub(crate) fn technique(name: &str) -> Result<Techniques, String> {
    Techniques::from_name_kebab(name)
        .map_err(|error| format!("{error}; `skewer help techniques` lists them"))
}

pub(crate) fn techniques(names: &str) -> Result<Techniques, String> {
    let empty = Techniques::empty();
    names
        .split('+')
        .try_fold(empty, |set, name| Ok(set | technique(name)?))
}

fn within(text: &str, most: usize) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(format!("give a number from 1 to {most}")),
    }
}

pub(crate) fn hash(text: &str) -> Result<usize, String> {
    within(text, 65_536)
}

pub(crate) fn jobs(text: &str) -> Result<usize, String> {
    within(text, 1024)
}

pub(crate) fn even(text: &str) -> Result<usize, String> {
    within(text, 1_000_000).and_then(|games| {
        let odd = "give an even number: games are played in pairs, each opening from both sides";
        games
            .is_multiple_of(2)
            .then_some(games)
            .ok_or_else(|| odd.to_owned())
    })
}
