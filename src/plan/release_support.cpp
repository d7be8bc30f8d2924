#include "plan/release_support.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace surefoot::plan {
namespace {

constexpr ReleaseSupport kReleases[] = {
    {.minor = 20, .ir = 10, .opset = 21, .ml_opset = 5}, {.minor = 21, .ir = 10, .opset = 22, .ml_opset = 5},
    {.minor = 22, .ir = 10, .opset = 22, .ml_opset = 5}, {.minor = 23, .ir = 11, .opset = 23, .ml_opset = 5},
    {.minor = 24, .ir = 13, .opset = 25, .ml_opset = 5}, {.minor = 25, .ir = 13, .opset = 26, .ml_opset = 5},
    {.minor = 26, .ir = 13, .opset = 26, .ml_opset = 5}, {.minor = 27, .ir = 13, .opset = 26, .ml_opset = 5},
    {.minor = 28, .ir = 13, .opset = 26, .ml_opset = 5}, {.minor = 29, .ir = 13, .opset = 26, .ml_opset = 5},
    {.minor = 30, .ir = 13, .opset = 26, .ml_opset = 5}, {.minor = 31, .ir = 13, .opset = 26, .ml_opset = 5},
    {.minor = 32, .ir = 14, .opset = 28, .ml_opset = 5}};

/// How far `release` goes in a domain; 0 for one that it has no numbers for.
std::int64_t newest_opset(const ReleaseSupport& release, std::string_view domain) {
  return domain.empty() ? release.opset : domain == "ai.onnx.ml" ? release.ml_opset : 0;
}

}  // namespace

std::span<const ReleaseSupport> known_releases() { return kReleases; }

const ReleaseSupport& support_of(int minor) {
  const int nearest = std::clamp(minor, std::begin(kReleases)->minor, std::prev(std::end(kReleases))->minor);
  return *std::ranges::find(kReleases, nearest, &ReleaseSupport::minor);
}

std::string refusal(const ReleaseSupport& release, const ModelInfo& model) {
  if (model.ir_version > release.ir)
    return fmt::format("it reads IR versions up to {}, the model has {}", release.ir, model.ir_version);
  for (const OpsetImport& opset : model.opsets) {
    const std::int64_t newest = newest_opset(release, opset.domain);
    if (newest > 0 && opset.version > newest)
      return fmt::format("it has opsets of {} up to {}, the model uses {}",
                         opset.domain.empty() ? "ai.onnx" : opset.domain, newest, opset.version);
  }
  return {};
}

const ReleaseSupport* first_release_for(const ModelInfo& model) {
  const auto first = std::ranges::find_if(
      kReleases, [&](const ReleaseSupport& release) { return refusal(release, model).empty(); });
  return first == std::end(kReleases) ? nullptr : first;
}

}  // namespace surefoot::plan
