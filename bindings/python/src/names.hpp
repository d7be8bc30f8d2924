/// Names between Python and the library.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "error/suggest.hpp"
#include "errors.hpp"

namespace surefoot::python {

inline nb::str text(std::string_view view) { return nb::str(view.data(), view.size()); }

/// The place of `name` among `names`. Throws InvalidArgument with the nearest one: "`kep` is no placement".
inline std::size_t place_of(std::string_view name, std::span<const std::string_view> names,
                            std::string_view what) {
  const auto at = std::ranges::find(names, name);
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  const std::vector<std::string> known(names.begin(), names.end());
  raise({.code = ErrorCode::InvalidArgument,
         .what = "`" + std::string(name) + "` is no " + std::string(what),
         .hint = suggestion(std::string(name), known)});
}

}  // namespace surefoot::python
