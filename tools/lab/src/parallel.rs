//! Work on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Result, anyhow};

/// The stack of a thread, in bytes: a search recurses deeply.
const STACK: usize = 16 << 20;

/// Runs `work` on each of `items`, `jobs` at a time, on threads with a stack for a search, and
/// returns the results in the order of the items.
pub(crate) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let worker = || -> Result<Vec<(usize, R)>> {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else {
                return Ok(done);
            };
            done.push((index, work(item)?));
        }
    };
    let mut all = thread::scope(|scope| -> Result<Vec<(usize, R)>> {
        let spawned: std::io::Result<Vec<_>> = (0..jobs.max(1))
            .map(|_| {
                thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, worker)
            })
            .collect();
        let mut all = Vec::new();
        for handle in spawned? {
            let part = handle.join().map_err(|_| anyhow!("a search panicked"))?;
            all.extend(part?);
        }
        Ok(all)
    })?;
    all.sort_by_key(|(index, _)| *index);
    Ok(all.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let squares = in_parallel(&items, 3, |item| Ok(item * item)).unwrap();
        assert_eq!(
            squares,
            items.iter().map(|item| item * item).collect::<Vec<_>>()
        );
        assert!(in_parallel(&items, 2, |_| -> Result<()> { Err(anyhow!("no")) }).is_err());
    }
}
