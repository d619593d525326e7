//! Prefetches a cluster into the processor's cache.

use crate::cluster::Cluster;

/// Starts to load the cluster into the first-level cache; does nothing on platforms without the instruction.
#[inline]
pub(crate) fn prefetch(cluster: &Cluster) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction, it has no effect on memory, and the
        // address comes from a live reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(cluster).cast()) };
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    {
        // SAFETY: a hint without effect on memory, and the address comes from a live reference.
        unsafe {
            std::arch::asm!(
                "prfm pldl1keep, [{address}]",
                address = in(reg) std::ptr::from_ref(cluster),
                options(nostack, preserves_flags, readonly)
            );
        }
    }
    #[cfg(any(not(any(target_arch = "x86_64", target_arch = "aarch64")), miri))]
    let _ = cluster;
}
