/// A model's inputs and outputs, prepared for checking calls against them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "surefoot/model_info.hpp"

namespace surefoot::session {

/// One input or output.
struct Port {
  ValueInfo info;
  /// For each axis a number that axes of the same symbolic name share; -1 for one without a name.
  std::vector<int> symbols = {};
};

struct Interface {
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  std::vector<std::string> symbol_names;  ///< by symbol number
  std::size_t required = 0;               ///< how many of the inputs are
};

Interface make_interface(std::vector<ValueInfo> inputs, std::vector<ValueInfo> outputs);

inline constexpr std::size_t kNoPort = static_cast<std::size_t>(-1);

/// The place of the port of that name, looked for at `likely` first; kNoPort when there is none.
std::size_t find_port(const std::vector<Port>& ports, std::string_view name, std::size_t likely) noexcept;

/// The names of all ports.
std::vector<std::string> port_names(const std::vector<Port>& ports);

}  // namespace surefoot::session
