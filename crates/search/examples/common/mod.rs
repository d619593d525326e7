//! The option `--without` of the examples.

use skewer_types::Techniques;

pub(crate) type Failure = Box<dyn std::error::Error>;

/// Takes each `--without NAME` out of the arguments. Returns the default techniques without the
/// named techniques.
pub(crate) fn techniques(arguments: &mut Vec<String>) -> Result<Techniques, Failure> {
    let mut techniques = Techniques::DEFAULT;
    while let Some(at) = arguments
        .iter()
        .position(|argument| argument == "--without")
    {
        let name = arguments
            .get(at + 1)
            .ok_or("--without needs the name of a technique")?;
        techniques -= Techniques::from_name_kebab(name)?;
        arguments.drain(at..at + 2);
    }
    Ok(techniques)
}
