/// `_core.Session` and the means to stop its runs.
#pragma once

#include <nanobind/nanobind.h>

#include "surefoot/session.hpp"

namespace surefoot::python {

/// The session of a `_core.Session`. Throws InvalidState when it is closed, TypeError for anything else.
Session session_of(nanobind::handle open_session);

/// A `_core.Session` on a session that is open; `owner` keeps what that may have to read again.
nanobind::object open_session_of(Session session, nanobind::object owner);

void bind_session(nanobind::module_& module);

}  // namespace surefoot::python
