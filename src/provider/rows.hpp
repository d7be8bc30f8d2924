/// The rows of the catalogue, one per provider, and short forms to write options with. Private to `provider`.
#pragma once

#include <array>

#include "provider/spec.hpp"

namespace surefoot::provider {

extern const ProviderSpec kTensorRt;
extern const ProviderSpec kTensorRtRtx;
extern const ProviderSpec kCuda;
extern const ProviderSpec kRocm;
extern const ProviderSpec kMiGraphX;
extern const ProviderSpec kVitisAi;
extern const ProviderSpec kOpenVino;
extern const ProviderSpec kDnnl;
extern const ProviderSpec kQnn;
extern const ProviderSpec kCoreMl;
extern const ProviderSpec kDirectMl;
extern const ProviderSpec kWebGpu;
extern const ProviderSpec kAzure;
extern const ProviderSpec kCpu;
extern const ProviderSpec kXnnpack;
extern const ProviderSpec kAcl;
extern const ProviderSpec kCann;

inline constexpr std::string_view kWholeModel = "every node runs on it, and none is If, Loop or Scan";
inline constexpr std::array<std::string_view, 2> kZeroOrOne{"0", "1"};
inline constexpr std::array<std::string_view, 4> kTrueOrFalse{"true", "false", "True", "False"};
inline constexpr std::array<std::string_view, 2> kArenaStrategies{"kNextPowerOfTwo", "kSameAsRequested"};

/// On or off, in any of the ways that ORT's own option parser reads.
constexpr OptionSpec flag(std::string_view key, std::string_view meaning, int since = 0) {
  return {.key = key, .type = OptionType::Bool, .meaning = meaning, .since = since};
}
/// On or off for providers that read only "1" and "0".
constexpr OptionSpec switch_of(std::string_view key, std::string_view meaning, int since = 0) {
  return {.key = key, .type = OptionType::Bool, .meaning = meaning, .values = kZeroOrOne, .since = since};
}
constexpr OptionSpec whole(std::string_view key, std::int64_t min, std::int64_t max, std::string_view meaning,
                           int since = 0) {
  return {.key = key, .type = OptionType::Int, .meaning = meaning, .min = min, .max = max, .since = since};
}
constexpr OptionSpec from_zero(std::string_view key, std::string_view meaning, int since = 0) {
  return whole(key, 0, std::numeric_limits<std::int32_t>::max(), meaning, since);
}
constexpr OptionSpec size_in_bytes(std::string_view key, std::string_view meaning, int since = 0) {
  return {.key = key, .type = OptionType::UInt64, .meaning = meaning, .min = 0, .since = since};
}
constexpr OptionSpec choice(std::string_view key, std::span<const std::string_view> values,
                            std::string_view meaning, int since = 0) {
  return {.key = key, .type = OptionType::Enum, .meaning = meaning, .values = values, .since = since};
}
constexpr OptionSpec text(std::string_view key, std::string_view meaning, int since = 0) {
  return {.key = key, .type = OptionType::String, .meaning = meaning, .since = since};
}
constexpr OptionSpec path(std::string_view key, std::string_view meaning, int since = 0) {
  return {.key = key, .type = OptionType::Path, .meaning = meaning, .since = since};
}
constexpr OptionSpec address(std::string_view key, std::string_view meaning, int since = 0) {
  return {.key = key, .type = OptionType::Pointer, .meaning = meaning, .since = since};
}

/// Whether OpenVINO runs elsewhere than on the CPU, where loading what it kept takes longer than making it
/// anew (a 21 MB recogniser on 2025.4: 20 % longer).
bool openvino_keeps_kernels(const OptionMap& options);

// What single options cannot show; each beside the provider that it is about.
std::vector<std::string> check_tensorrt(const OptionMap& options);
std::vector<std::string> check_tensorrt_rtx(const OptionMap& options);
std::vector<std::string> check_openvino(const OptionMap& options);
std::vector<std::string> check_qnn(const OptionMap& options);

}  // namespace surefoot::provider
