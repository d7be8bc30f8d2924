#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "provider/rows.hpp"

namespace surefoot::provider {
namespace {

constexpr std::array<std::string_view, 3> kDevices{"CPU", "GPU", "NPU"};
constexpr std::array<std::string_view, 4> kModes{"AUTO", "HETERO", "MULTI", "BATCH"};

template <class Names>
bool is_in(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// "GPU", "GPU.1", or the old "GPU_FP16", which OpenVINO still takes; "-CPU" leaves a device out of AUTO.
bool is_device(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const std::size_t end = std::min(text.find_first_of("._"), text.size());
  return is_in(kDevices, text.substr(0, end)) && end + 1 != text.size();
}

bool are_devices(std::string_view text) {
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    if (!is_device(text.substr(start, end - start))) return false;
    start = end + 1;
  }
  return true;
}

bool is_device_type(std::string text) {
  std::erase(text, ' ');
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return text == "AUTO" || is_device(text);
  return is_in(kModes, std::string_view(text).substr(0, colon)) &&
         are_devices(std::string_view(text).substr(colon + 1));
}

/// Precisions that one device cannot compute in; several devices together take any.
bool is_refused(std::string_view device, std::string_view precision) {
  const std::string_view kind = device.substr(0, device.find('.'));
  return (kind == "CPU" && precision == "FP16") || (kind == "NPU" && precision == "FP32");
}

}  // namespace

bool openvino_keeps_kernels(const OptionMap& options) {
  const auto device = options.find("device_type");
  return device != options.end() && device->second != "CPU";
}

std::vector<std::string> check_openvino(const OptionMap& options) {
  const auto device = options.find("device_type");
  if (device == options.end()) return {};
  if (!is_device_type(device->second))
    return {fmt::format(
        "provider option `device_type` of openvino is `{}`, wanted is `CPU`, `GPU`, `NPU`, `GPU.1`, "
        "`AUTO`, or several as in `AUTO:GPU,CPU`",
        device->second)};
  const auto precision = options.find("precision");
  if (precision != options.end() && is_refused(device->second, precision->second))
    return {fmt::format(
        "provider option `precision` of openvino is `{}`, which its device `{}` does not compute in",
        precision->second, device->second)};
  return {};
}

}  // namespace surefoot::provider
