//! Checks that this processor has the features that the build was compiled for.
//!
//! `is_x86_feature_detected!` answers `true` for every feature that the build was compiled for, so this module
//! asks the processor itself, by `cpuid`. The check is the first thing that `main` calls, and until it has printed what
//! is missing it uses only the instructions of plain x86-64. It uses no crate for `cpuid`, because the crate would be
//! compiled with the features that the processor may lack: `raw-cpuid` then uses `bextr` of BMI1.

use std::arch::x86_64::{__cpuid, __cpuid_count};
use std::hint::black_box;
use std::io::{self, Write};

/// A register that `cpuid` answers in.
#[derive(Clone, Copy)]
enum Register {
    /// `ecx` of leaf 1.
    OneEcx,
    /// `ebx` of leaf 7.
    SevenEbx,
    /// `ecx` of leaf 7.
    SevenEcx,
    /// `ecx` of leaf 0x80000001.
    ExtendedEcx,
}

/// What the processor and the operating system support.
#[derive(Clone, Copy)]
struct Cpu {
    /// The contents of the registers, indexed by [`Register`].
    registers: [u32; 4],
    /// The register states that the operating system saves (`XCR0`).
    saved_states: u64,
}

/// A feature that compilers use by themselves.
struct Feature {
    /// As it is known to the compiler.
    name: &'static str,
    /// Whether this build may use it.
    compiled: bool,
    /// The register of `cpuid` that has its bit.
    register: Register,
    /// Its bit in the register.
    mask: u32,
    /// The register states that the operating system must save for it.
    states: u64,
}

impl Feature {
    fn is_missing(&self, cpu: &Cpu) -> bool {
        // Without `black_box` the comparison becomes `andn`, which is of BMI1.
        let saved = black_box(cpu.saved_states & self.states);
        cpu.registers[self.register as usize] & self.mask == 0 || saved != self.states
    }
}

/// No register states beyond the states that every system saves.
const NONE: u64 = 0;
/// The bits of `XCR0` for the 128-bit and 256-bit registers.
const AVX: u64 = 0b110;
/// The bits of [`AVX`], and the bits for the 512-bit registers and the masks.
const AVX512: u64 = 0b1110_0110;

macro_rules! features {
    ($($name:tt $register:ident $bit:literal $states:ident;)*) => {
        &[$(Feature {
            name: $name,
            compiled: cfg!(target_feature = $name),
            register: Register::$register,
            mask: 1 << $bit,
            states: $states,
        }),*]
    };
}

/// The features that are checked; the bits are from the processors' manuals.
static FEATURES: &[Feature] = features! {
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

/// Writes a line for a user whose processor lacks these features, after `start`.
///
/// Writes only string constants, because formatting code may use instructions that the processor lacks.
fn write_complaint<'a>(
    out: &mut dyn Write,
    start: &str,
    missing: impl Iterator<Item = &'a str>,
) -> io::Result<()> {
    out.write_all(start.as_bytes())?;
    let mut before = "This build of Skewer needs a processor with ";
    for name in missing {
        out.write_all(before.as_bytes())?;
        out.write_all(name.as_bytes())?;
        before = ", ";
    }
    out.write_all(
        b", which this one lacks. Use the program of a release, which suits nearly all \
          processors, or build it on this machine.\n",
    )
}

/// Returns whether no feature is missing. Otherwise prints the missing features to stdout, which a client reads, and to
/// stderr, because a person may see only that.
fn none_is_missing<'a>(mut missing: impl Iterator<Item = &'a str> + Clone) -> bool {
    if missing.clone().next().is_none() {
        return true;
    }
    // Errors are ignored: there is no third place to report them.
    _ = write_complaint(&mut io::stdout(), "info string ", missing.clone());
    _ = write_complaint(&mut io::stderr(), "", missing.by_ref());
    false
}

/// The environment variable by which tests pretend that the processor lacks features: their
/// names, separated by commas.
const PRETEND: &str = "SKEWER_TEST_CPU_LACKS";

/// Returns whether this processor can run this build. If not, prints what is missing.
pub fn can_run() -> bool {
    let cpu = this_cpu();
    let missing = |feature: &&Feature| feature.compiled && feature.is_missing(&cpu);
    none_is_missing(FEATURES.iter().filter(missing).map(|feature| feature.name))
        && can_run_as_pretended()
}

/// Returns whether the processor could run the build if it lacked what a test pretends. If not, prints the missing
/// features.
///
/// A function of its own, because it may use all instructions of the processor, which [`can_run`] may not.
#[inline(never)]
fn can_run_as_pretended() -> bool {
    let Some(lacks) = std::env::var_os(PRETEND) else {
        return true;
    };
    let lacks = lacks.to_string_lossy();
    let names = FEATURES.iter().map(|feature| feature.name);
    none_is_missing(names.filter(|name| lacks.split(',').any(|lacking| lacking == *name)))
}

/// Asks the processor.
fn this_cpu() -> Cpu {
    /// The bit of `ecx` in leaf 1 that says that `xgetbv` may be used.
    const OSXSAVE: u32 = 1 << 27;

    let most = __cpuid(0).eax;
    let one = __cpuid(1).ecx;
    let (seven_ebx, seven_ecx) = if most >= 7 {
        let seven = __cpuid_count(7, 0);
        (seven.ebx, seven.ecx)
    } else {
        (0, 0)
    };
    let extended = if __cpuid(0x8000_0000).eax > 0x8000_0000 {
        __cpuid(0x8000_0001).ecx
    } else {
        0
    };
    Cpu {
        registers: [one, seven_ebx, seven_ecx, extended],
        saved_states: if one & OSXSAVE != 0 {
            saved_states()
        } else {
            0
        },
    }
}

/// The register states that the operating system saves.
fn saved_states() -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: called only if `cpuid` says that `xgetbv` may be used; it reads register 0 and writes
    // nothing but the two outputs.
    unsafe {
        core::arch::asm!(
            "xgetbv",
            in("ecx") 0,
            out("eax") low,
            out("edx") high,
            options(nomem, nostack, preserves_flags),
        );
    }
    u64::from(high) << 32 | u64::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Cpu = Cpu {
        registers: [u32::MAX; 4],
        saved_states: u64::MAX,
    };

    fn missing(cpu: &Cpu) -> Vec<&'static str> {
        let missing = FEATURES.iter().filter(|feature| feature.is_missing(cpu));
        missing.map(|feature| feature.name).collect()
    }

    #[test]
    fn a_processor_with_everything_lacks_nothing() {
        assert_eq!(missing(&ALL), [""; 0]);
    }

    #[test]
    fn a_missing_bit_is_named() {
        let mut cpu = ALL;
        cpu.registers[Register::SevenEbx as usize] = !(1 << 8);
        let missing = missing(&cpu);
        assert_eq!(missing, ["bmi2"]);
        let mut text = Vec::new();
        write_complaint(&mut text, "start ", missing.into_iter()).unwrap();
        let sentence = String::from_utf8(text).unwrap();
        assert!(
            sentence.starts_with("start This build of Skewer needs a processor with bmi2, which")
                && sentence.ends_with(".\n"),
            "{sentence}"
        );
    }

    #[test]
    fn vectors_that_the_system_does_not_save_cannot_be_used() {
        let cpu = Cpu {
            saved_states: 0b11,
            ..ALL
        };
        let missing = missing(&cpu);
        assert!(missing.contains(&"avx2") && missing.contains(&"avx512f"));
        assert!(!missing.contains(&"popcnt"));
    }

    #[test]
    fn the_processor_that_runs_this_test_can() {
        assert!(can_run());
    }
}
