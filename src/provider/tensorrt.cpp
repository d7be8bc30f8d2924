#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "provider/rows.hpp"

namespace surefoot::provider {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// "name:1x3x224x224"; a name may hold colons itself, a shape may be empty for a scalar.
bool is_shape(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == 0 || colon == std::string_view::npos || colon + 1 == text.size()) return false;
  for (std::size_t start = colon + 1; start <= text.size();) {
    const std::size_t end = std::min(text.find('x', start), text.size());
    if (!is_number(text.substr(start, end - start))) return false;
    start = end + 1;
  }
  return true;
}

bool are_shapes(std::string_view text) {
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    if (!is_shape(text.substr(start, end - start))) return false;
    start = end + 1;
  }
  return true;
}

/// A range of shapes has three parts, which make sense only together.
std::vector<std::string> check_profiles(const OptionMap& options, std::string_view prefix) {
  std::vector<std::string> problems;
  std::string absent;
  std::size_t given = 0;
  for (const char* const part : {"min", "opt", "max"}) {
    const std::string key = fmt::format("{}_profile_{}_shapes", prefix, part);
    const auto option = options.find(key);
    if (option == options.end()) {
      absent += fmt::format("{}`{}`", absent.empty() ? "" : ", ", key);
      continue;
    }
    ++given;
    if (!are_shapes(option->second))
      problems.push_back(
          fmt::format("provider option `{}` is `{}`, wanted is name:1x3x224x224, several split by `,`", key,
                      option->second));
  }
  if (given != 0 && !absent.empty())
    problems.push_back(
        fmt::format("{} must be given too: the smallest, usual and largest shapes go together", absent));
  return problems;
}

}  // namespace

std::vector<std::string> check_tensorrt(const OptionMap& options) { return check_profiles(options, "trt"); }

std::vector<std::string> check_tensorrt_rtx(const OptionMap& options) {
  return check_profiles(options, "nv");
}

}  // namespace surefoot::provider
