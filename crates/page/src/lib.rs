#![doc = include_str!("../README.md")]

mod session;

use std::cell::RefCell;
use std::io;

pub use session::Session;
pub use skewer_wasm::serve;

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
}

/// Answers the request that the standard input has, on the standard output. Returns 0, or 1 if it has failed and the
/// standard error has the reason.
#[allow(unsafe_code, reason = "the name is exported; no other function has it")]
#[unsafe(no_mangle)]
pub extern "C" fn request() -> i32 {
    SESSION.with_borrow_mut(|session| {
        let answered = session.answer(&mut io::stdin().lock(), &mut io::stdout().lock());
        if let Err(error) = &answered {
            eprintln!("{error:#}");
        }
        i32::from(answered.is_err())
    })
}
