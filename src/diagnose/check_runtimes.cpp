#include <fmt/format.h>

#include <algorithm>

#include "diagnose/model_checks.hpp"
#include "plan/release_support.hpp"

namespace surefoot::diagnose {
namespace {

std::string opsets_text(const ModelInfo& info) {
  std::string text = fmt::format("IR {}", info.ir_version);
  for (const OpsetImport& opset : info.opsets)
    text += fmt::format(", {} {}", opset.domain.empty() ? "ai.onnx" : opset.domain, opset.version);
  return text;
}

std::vector<RuntimeFit> fits(const ModelInfo& info, std::span<const RuntimeFound> runtimes) {
  std::vector<RuntimeFit> fits;
  for (const RuntimeFound& found : runtimes)
    if (!found.refused)
      fits.push_back({found.version, found.path, plan::refusal(plan::support_of(found.api_version), info)});
  return fits;
}

std::string hint_for(const std::string& first) {
  return first.empty()
             ? "export the model for an older opset and IR version"
             : fmt::format("use ONNX Runtime {} or newer, or export the model for an older opset", first);
}

}  // namespace

void check_runtimes(ModelCheck& check, std::span<const RuntimeFound> runtimes) {
  if (const plan::ReleaseSupport* first = plan::first_release_for(check.info))
    check.first_runtime = fmt::format("1.{}", first->minor);
  check.runtimes = fits(check.info, runtimes);
  const auto refuses = [](const RuntimeFit& fit) { return !fit.refuses.empty(); };
  const auto refusals = std::ranges::count_if(check.runtimes, refuses);
  const plan::ReleaseSupport& newest = plan::known_releases().back();
  const bool too_new = check.first_runtime.empty();
  if (refusals == 0 && !too_new) return;
  // One that accepts it is enough to work.
  const bool none = too_new || refusals == std::ssize(check.runtimes);
  const std::string_view slug = plan::refusal(newest, check.info).starts_with("it reads IR") ||
                                        (!too_new && check.info.ir_version > plan::support_of(0).ir)
                                    ? "model-ir-too-new"
                                    : "model-opset-too-new";
  ModelFinding finding{
      .severity = none ? Severity::Error : Severity::Warning,
      .topic = "runtime",
      .what = too_new ? fmt::format("the model ({}) is newer than ONNX Runtime 1.{}: {}",
                                    opsets_text(check.info), newest.minor, plan::refusal(newest, check.info))
                      : fmt::format("{} of the {} ONNX Runtimes found refuse{} the model ({})", refusals,
                                    check.runtimes.size(), refusals == 1 ? "s" : "", opsets_text(check.info)),
      .hint = hint_for(check.first_runtime),
      .slug = std::string(slug)};
  for (const RuntimeFit& fit : check.runtimes)
    if (refuses(fit))
      finding.details.push_back(fmt::format("{} (`{}`): {}", fit.version, fit.path.string(), fit.refuses));
  check.findings.push_back(std::move(finding));
}

}  // namespace surefoot::diagnose
