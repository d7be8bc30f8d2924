#include "comma_list.hpp"

#include <algorithm>

namespace surefoot::fault_ep {
namespace {

std::size_t end_of_item(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',' && depth == 0) return i;
    depth += (text[i] == '(') - (text[i] == ')');
  }
  return text.size();
}

}  // namespace

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> items;
  while (!text.empty()) {
    const std::size_t end = end_of_item(text);
    items.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return items;
}

}  // namespace surefoot::fault_ep
