/// Splits the comma lists that options are written in.
#pragma once

#include <string_view>
#include <vector>

namespace surefoot::fault_ep {

/// The items between commas, but for commas inside parentheses. An empty text has no items.
std::vector<std::string_view> split_list(std::string_view text);

}  // namespace surefoot::fault_ep
