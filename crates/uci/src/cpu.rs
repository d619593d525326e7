//! Checks that this processor has the features that the build was compiled for.
//!
//! `is_x86_feature_detected!` answers `true` for whatever was compiled in, so the processor is
//! asked by raw `cpuid`. The check is the first thing that `main` calls, and is written so that
//! it needs nothing beyond plain x86-64 before it has said what is missing.

use std::io::{self, Write};

/// A feature that compilers use by themselves, and where `cpuid` reports it.
#[derive(Debug, Clone, Copy)]
pub struct Feature {
    /// As it is known to the compiler.
    pub name: &'static str,
    /// Whether this build may use it.
    pub compiled: bool,
    /// The leaf of `cpuid` to ask.
    pub leaf: Leaf,
    /// The bit of the leaf's register.
    pub bit: u32,
    /// The register states (`XCR0`) that the operating system must save for it.
    pub states: u64,
}

/// A leaf of `cpuid` and a register of its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaf {
    /// Leaf 1, `ecx`.
    OneEcx,
    /// Leaf 7, `ebx`.
    SevenEbx,
    /// Leaf 7, `ecx`.
    SevenEcx,
    /// Leaf 0x80000001, `ecx`.
    ExtendedEcx,
}

/// What `cpuid` and the operating system say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cpu {
    /// Leaf 1, `ecx`.
    pub one_ecx: u32,
    /// Leaf 7, `ebx`.
    pub seven_ebx: u32,
    /// Leaf 7, `ecx`.
    pub seven_ecx: u32,
    /// Leaf 0x80000001, `ecx`.
    pub extended_ecx: u32,
    /// The register states that the operating system saves (`XCR0`).
    pub saved_states: u64,
}

/// No register states beyond those that every system saves.
const NONE: u64 = 0;
/// The bits of `XCR0` for the 128-bit and 256-bit registers.
const AVX: u64 = 0b110;
/// And those for the 512-bit registers and the masks.
const AVX512: u64 = 0b1110_0110;

impl Cpu {
    /// Whether this processor, under this operating system, has a feature.
    pub fn has(&self, feature: &Feature) -> bool {
        let register = match feature.leaf {
            Leaf::OneEcx => self.one_ecx,
            Leaf::SevenEbx => self.seven_ebx,
            Leaf::SevenEcx => self.seven_ecx,
            Leaf::ExtendedEcx => self.extended_ecx,
        };
        register >> feature.bit & 1 != 0 && self.saved_states & feature.states == feature.states
    }
}

macro_rules! features {
    ($($name:tt $leaf:ident $bit:literal $states:ident;)*) => {
        &[$(Feature {
            name: $name,
            compiled: cfg!(target_feature = $name),
            leaf: Leaf::$leaf,
            bit: $bit,
            states: $states,
        }),*]
    };
}

/// The features that are checked; the bits are from the processors' manuals.
pub static FEATURES: &[Feature] = features! {
    "sse3" OneEcx 0 NONE;
    "ssse3" OneEcx 9 NONE;
    "sse4.1" OneEcx 19 NONE;
    "sse4.2" OneEcx 20 NONE;
    "popcnt" OneEcx 23 NONE;
    "movbe" OneEcx 22 NONE;
    "lzcnt" ExtendedEcx 5 NONE;
    "avx" OneEcx 28 AVX;
    "f16c" OneEcx 29 AVX;
    "fma" OneEcx 12 AVX;
    "bmi1" SevenEbx 3 NONE;
    "bmi2" SevenEbx 8 NONE;
    "adx" SevenEbx 19 NONE;
    "avx2" SevenEbx 5 AVX;
    "avx512f" SevenEbx 16 AVX512;
    "avx512dq" SevenEbx 17 AVX512;
    "avx512cd" SevenEbx 28 AVX512;
    "avx512bw" SevenEbx 30 AVX512;
    "avx512vl" SevenEbx 31 AVX512;
    "avx512vbmi" SevenEcx 1 AVX512;
    "avx512vbmi2" SevenEcx 6 AVX512;
    "avx512vnni" SevenEcx 11 AVX512;
    "avx512bitalg" SevenEcx 12 AVX512;
    "avx512vpopcntdq" SevenEcx 14 AVX512;
};

/// The features that a build uses and a processor lacks.
///
/// ```
/// use skewer::cpu::{Cpu, FEATURES, missing};
///
/// let nothing = Cpu::default();
/// let lacking: Vec<_> = missing(FEATURES, &nothing).collect();
/// assert_eq!(lacking.len(), FEATURES.iter().filter(|feature| feature.compiled).count());
/// ```
pub fn missing<'a>(features: &'a [Feature], cpu: &Cpu) -> impl Iterator<Item = &'a str> + Clone {
    features
        .iter()
        .filter(|feature| feature.compiled && !cpu.has(feature))
        .map(|feature| feature.name)
}

/// Writes a line for a user whose processor lacks these features, after `start`. Nothing is written
/// if it lacks none.
///
/// Writes only string constants, because formatting code may use instructions that the processor lacks.
///
/// # Errors
///
/// Those of `out`.
pub fn write_complaint<'a>(
    out: &mut dyn Write,
    start: &str,
    missing: impl Iterator<Item = &'a str>,
) -> io::Result<()> {
    let mut before = "This build of Skewer needs a processor with ";
    let mut any = false;
    for name in missing {
        if !any {
            out.write_all(start.as_bytes())?;
        }
        any = true;
        out.write_all(before.as_bytes())?;
        out.write_all(name.as_bytes())?;
        before = ", ";
    }
    if any {
        out.write_all(
            b", which this one lacks. Use a build for an older processor (x86-64-v2 suits nearly \
              all), or build it on this machine.\n",
        )?;
    }
    Ok(())
}

/// Writes to both streams, because a client reads stdout and a person may see only stderr.
fn complain<'a>(missing: impl Iterator<Item = &'a str> + Clone) {
    // Errors are ignored: there is no third place to report them.
    _ = write_complaint(&mut io::stdout(), "info string ", missing.clone());
    _ = write_complaint(&mut io::stderr(), "", missing);
}

/// The environment variable by which tests pretend that the processor lacks features: their
/// names, separated by commas.
const PRETEND: &str = "SKEWER_TEST_CPU_LACKS";

/// Returns whether this processor can run this build. If not, prints what is missing.
pub fn can_run() -> bool {
    if let Some(cpu) = this_cpu() {
        let missing = missing(FEATURES, &cpu);
        if missing.clone().next().is_some() {
            complain(missing);
            return false;
        }
    }
    !is_pretended()
}

/// Returns whether a test pretends that the processor lacks a feature. If so, prints which.
///
/// Apart from [`can_run`], since it may use whatever the processor has.
#[inline(never)]
fn is_pretended() -> bool {
    let Some(lacks) = std::env::var_os(PRETEND) else {
        return false;
    };
    let lacks = lacks.to_string_lossy();
    let missing = FEATURES
        .iter()
        .map(|feature| feature.name)
        .filter(|name| lacks.split(',').any(|lacking| lacking == *name));
    if missing.clone().next().is_none() {
        return false;
    }
    complain(missing);
    true
}

/// Asks the processor; `None` where there is no `cpuid`.
#[cfg(target_arch = "x86_64")]
#[allow(
    clippy::unnecessary_wraps,
    reason = "there is none on other processors"
)]
fn this_cpu() -> Option<Cpu> {
    use core::arch::x86_64::{__cpuid, __cpuid_count};

    /// The bit of leaf 1 that says that `xgetbv` may be used.
    const OSXSAVE: u32 = 1 << 27;

    let most = __cpuid(0).eax;
    let most_extended = __cpuid(0x8000_0000).eax;
    let mut cpu = Cpu::default();
    if most >= 1 {
        cpu.one_ecx = __cpuid(1).ecx;
    }
    if most >= 7 {
        let seven = __cpuid_count(7, 0);
        cpu.seven_ebx = seven.ebx;
        cpu.seven_ecx = seven.ecx;
    }
    if most_extended >= 0x8000_0001 {
        cpu.extended_ecx = __cpuid(0x8000_0001).ecx;
    }
    if cpu.one_ecx & OSXSAVE != 0 {
        let (low, high): (u32, u32);
        // SAFETY: the processor has just said that `xgetbv` may be used; it reads register 0 and
        // writes nothing but the two outputs.
        unsafe {
            core::arch::asm!(
                "xgetbv",
                in("ecx") 0,
                out("eax") low,
                out("edx") high,
                options(nomem, nostack, preserves_flags),
            );
        }
        cpu.saved_states = u64::from(high) << 32 | u64::from(low);
    }
    Some(cpu)
}

/// Asks the processor; `None` where there is no `cpuid`.
#[cfg(not(target_arch = "x86_64"))]
fn this_cpu() -> Option<Cpu> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Cpu = Cpu {
        one_ecx: u32::MAX,
        seven_ebx: u32::MAX,
        seven_ecx: u32::MAX,
        extended_ecx: u32::MAX,
        saved_states: u64::MAX,
    };

    fn compiled(name: &str) -> Vec<Feature> {
        FEATURES
            .iter()
            .map(|feature| Feature {
                compiled: feature.name == name,
                ..*feature
            })
            .collect()
    }

    fn complaint<'a>(missing: impl Iterator<Item = &'a str>) -> String {
        let mut text = Vec::new();
        write_complaint(&mut text, "start ", missing).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn a_processor_with_everything_lacks_nothing() {
        assert_eq!(complaint(missing(FEATURES, &ALL)), "");
    }

    #[test]
    fn a_missing_bit_is_named() {
        let cpu = Cpu {
            seven_ebx: !(1 << 8),
            ..ALL
        };
        let features = compiled("bmi2");
        assert_eq!(missing(&features, &cpu).collect::<Vec<_>>(), ["bmi2"]);
        let sentence = complaint(missing(&features, &cpu));
        assert!(
            sentence.starts_with("start This build of Skewer needs a processor with bmi2, which")
                && sentence.ends_with(".\n"),
            "{sentence}"
        );
        // A build that does not use it does not mind.
        assert_eq!(complaint(missing(&compiled("avx2"), &cpu)), "");
    }

    #[test]
    fn vectors_that_the_system_does_not_save_cannot_be_used() {
        let cpu = Cpu {
            saved_states: 0b11,
            ..ALL
        };
        assert_eq!(
            missing(&compiled("avx2"), &cpu).collect::<Vec<_>>(),
            ["avx2"]
        );
        assert_eq!(missing(&compiled("popcnt"), &cpu).count(), 0);
    }

    #[test]
    fn the_processor_that_runs_this_test_can() {
        assert!(can_run());
    }
}
