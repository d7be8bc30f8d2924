#include <charconv>

#include "provider/rows.hpp"

namespace surefoot::provider {
namespace {

bool is_on(const OptionMap& options, const char* key) {
  const auto option = options.find(key);
  return option != options.end() && option->second == "1";
}

int number_of(const OptionMap& options, const char* key) {
  const auto option = options.find(key);
  int number = 0;
  if (option != options.end())
    std::from_chars(option->second.data(), option->second.data() + option->second.size(), number);
  return number;
}

}  // namespace

std::vector<std::string> check_qnn(const OptionMap& options) {
  constexpr int kFirstWithBfloat16 = 88;
  std::vector<std::string> problems;
  if (options.contains("backend_type") && options.contains("backend_path"))
    problems.emplace_back("provider options `backend_type` and `backend_path` of qnn exclude each other");
  if (is_on(options, "htp_bf16_enable") && number_of(options, "soc_model") < kFirstWithBfloat16)
    problems.emplace_back("provider option `htp_bf16_enable` of qnn needs a `soc_model` of 88 or more");
  if (is_on(options, "enable_htp_prepare_only") && is_on(options, "enable_htp_prepare_and_load"))
    problems.emplace_back(
        "provider options `enable_htp_prepare_only` and `enable_htp_prepare_and_load` of qnn exclude each "
        "other");
  return problems;
}

}  // namespace surefoot::provider
