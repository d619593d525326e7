//! Identifies builds, programs and files, for records and to resume a match only with the same engines.

use std::env;
use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use fnv::FnvHasher;
use skewer_uci_client::Program;

use crate::spec::EngineKind;

/// The commit that this program was built from, with `-dirty` if its sources were changed since;
/// or `unknown`.
pub(crate) const COMMIT: &str = env!("SKEWER_COMMIT");

/// Identifies bytes by their 64-bit FNV-1a hash (Fowler, Noll, Vo, 1991). Collisions can be made on
/// purpose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut hasher = FnvHasher::default();
        hasher.write(bytes);
        Self(hasher.finish())
    }

    /// The fingerprint of a file.
    pub(crate) fn of_file(path: &Path) -> io::Result<Self> {
        Hashed::new(File::open(path)?).finish()
    }

    /// The fingerprint as a number.
    pub(crate) fn number(self) -> u64 {
        self.0
    }
}

/// A source of bytes with the fingerprint of what is read, because a name may lead to another file later.
pub(crate) struct Hashed<R> {
    source: R,
    hasher: FnvHasher,
}

impl<R: Read> Hashed<R> {
    /// A source of which nothing has been read yet.
    pub(crate) fn new(source: R) -> Self {
        Self {
            source,
            hasher: FnvHasher::default(),
        }
    }

    /// Reads the rest. Returns the fingerprint of everything.
    pub(crate) fn finish(mut self) -> io::Result<Fingerprint> {
        io::copy(&mut self, &mut io::sink())?;
        Ok(Fingerprint(self.hasher.finish()))
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(bytes)?;
        self.hasher.write(&bytes[..read]);
        Ok(read)
    }
}

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The identity of an engine: the commit and the evaluation of our own engine, or the file of an external engine.
pub(crate) fn build_of(engine: &EngineKind) -> String {
    match engine {
        EngineKind::Ours(ours) => format!("{}, {}", own_build(), ours.evaluation),
        EngineKind::External(external) => program(external).map_or_else(
            || "unknown program".to_owned(),
            |fingerprint| format!("program {fingerprint}"),
        ),
    }
}

/// The identity of this program: its commit and, if the commit is unknown or has changes, its file.
fn own_build() -> String {
    if COMMIT != "unknown" && !COMMIT.ends_with("-dirty") {
        return COMMIT.to_owned();
    }
    // The name of the running program may lead to a later build.
    let running = Fingerprint::of_file(Path::new("/proc/self/exe"));
    let named = || env::current_exe().and_then(|file| Fingerprint::of_file(&file));
    match running.or_else(|_| named()) {
        Ok(fingerprint) => format!("{COMMIT} {fingerprint}"),
        Err(_) => COMMIT.to_owned(),
    }
}

/// The fingerprint of the program file, found as the system finds it: a path from the engine's folder or
/// the current one, a bare name in `PATH`.
fn program(external: &Program) -> Option<Fingerprint> {
    let command = Path::new(&external.command);
    let folders: Vec<PathBuf> = if command.components().count() > 1 {
        let own = external.folder.clone();
        own.into_iter().chain([PathBuf::new()]).collect()
    } else {
        env::split_paths(&env::var_os("PATH")?).collect()
    };
    folders.iter().find_map(|folder| {
        let path = folder.join(command);
        let with_ending = path.with_extension(env::consts::EXE_EXTENSION);
        [path, with_ending]
            .into_iter()
            .filter(|path| path.is_file())
            .find_map(|path| Fingerprint::of_file(&path).ok())
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn fingerprints_tell_files_apart() {
        // Test vectors of Fowler, Noll and Vo.
        assert_eq!(Fingerprint::of(b"").number(), 0xcbf2_9ce4_8422_2325);
        assert_eq!(Fingerprint::of(b"foobar").to_string(), "85944171f73967e8");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        fs::write(&path, "foobar").unwrap();
        assert_eq!(
            Fingerprint::of_file(&path).unwrap().number(),
            Fingerprint::of(b"foobar").number()
        );
    }

    #[test]
    fn engines_are_identified_by_build_and_network() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        let build = |text: &str| {
            let spec: crate::spec::EngineSpec = text.parse().unwrap();
            build_of(&spec.kind)
        };
        fs::write(&path, "one").unwrap();
        let text = path.to_str().unwrap();
        let one = build(text);
        assert_eq!(build(&format!("{text},arg=-u")), one);
        fs::write(&path, "two").unwrap();
        assert_ne!(build(text), one);
        // A relative path is resolved in the engine's folder, a bare name in PATH.
        let inside = format!("./program,dir={}", folder.path().display());
        assert_eq!(build(&inside), build(text));
        assert_eq!(build("no-such-program-anywhere"), "unknown program");

        let ours = build("ours,eval=hce");
        assert!(ours.contains("hand-written"), "{ours}");
        assert!(ours.starts_with(COMMIT), "{ours}");
    }
}
