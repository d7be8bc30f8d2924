/// Subgraphs as the bytes of an EPContext node: what the provider "compiles" a model to.
///
/// The format is this provider's own, little-endian, and starts with a mark that no other one has.
#pragma once

#include <string>
#include <string_view>

#include "subgraph.hpp"

namespace surefoot::fault_ep {

std::string encode(const Subgraph& subgraph);

/// Throws std::runtime_error when the bytes are foreign, cut short or damaged. Never reads past them.
Subgraph decode(std::string_view bytes);

}  // namespace surefoot::fault_ep
