//! What `benchmarks/peer.cpp` calls: the same functions in front of each crate's `Peer`.
use std::{
    ffi::{CStr, CString, OsStr, c_char},
    fmt::Display,
    os::unix::ffi::OsStrExt,
    process,
    ptr::null,
    slice,
};

use crate::{PATHS, Peer};

fn must<T, E: Display>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| {
        eprintln!("error: {}: {error:#}", PATHS[0].1);
        process::exit(2)
    })
}

/// Of each of the crate's ways to run, a name that stays from version to version; null beyond the last.
#[unsafe(no_mangle)]
extern "C" fn peer_name(path: usize) -> *const c_char {
    PATHS.get(path).map_or(null(), |(name, _)| must(CString::new(*name)).into_raw())
}

/// The same in words, with the crate's version.
#[unsafe(no_mangle)]
extern "C" fn peer_what(path: usize) -> *const c_char {
    PATHS.get(path).map_or(null(), |(_, what)| must(CString::new(*what)).into_raw())
}

/// Opens the model on the library that ORT_DYLIB_PATH names and sets its only input; kept until the process ends.
///
/// # Safety
/// `model` is a path that ends in a zero; `x` holds `elements` values.
#[unsafe(no_mangle)]
unsafe extern "C" fn peer_open(path: usize, model: *const c_char, x: *const f32, elements: usize) -> *mut Peer {
    let (model, x) = unsafe { (CStr::from_ptr(model), slice::from_raw_parts(x, elements)) };
    Box::into_raw(Box::new(must(Peer::open(path, OsStr::from_bytes(model.to_bytes()).as_ref(), x))))
}

/// # Safety
/// `peer` is from `peer_open`.
#[unsafe(no_mangle)]
unsafe extern "C" fn peer_run(peer: *mut Peer) {
    must(unsafe { &mut *peer }.run())
}

/// Runs once and copies the only output.
///
/// # Safety
/// `peer` is from `peer_open`; `y` has room for `elements` values, as many as the output has.
#[unsafe(no_mangle)]
unsafe extern "C" fn peer_output(peer: *mut Peer, y: *mut f32, elements: usize) {
    let (peer, y) = unsafe { (&mut *peer, slice::from_raw_parts_mut(y, elements)) };
    must(peer.copy_output(y))
}
