#include "plan/model_fit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plan/release_support.hpp"

namespace surefoot {
namespace plan {
namespace {

/// Domains whose operators the official builds have, or make themselves while they optimize.
constexpr std::string_view kOwnDomains[] = {"",
                                            "ai.onnx.ml",
                                            "ai.onnx.preview",
                                            "ai.onnx.preview.training",
                                            "ai.onnx.training",
                                            "com.microsoft",
                                            "com.microsoft.dml",
                                            "com.microsoft.experimental",
                                            "com.microsoft.nchwc",
                                            "com.ms.internal.nhwc",
                                            "org.pytorch.aten"};

/// Null where nothing is known: an older or newer ORT than those measured.
const ReleaseSupport* limits_of(int minor) {
  const auto releases = known_releases();
  const auto at = std::ranges::find(releases, minor, &ReleaseSupport::minor);
  return at == releases.end() ? nullptr : &*at;
}

std::string name_of(const MachineFacts& machine) {
  return fmt::format("ONNX Runtime {} (`{}`)", machine.runtime_version, machine.runtime_path.string());
}

Failure too_new_ir(const MachineFacts& machine, std::int64_t version, std::int64_t limit) {
  return fail({.code = ErrorCode::InvalidModel,
               .what = fmt::format("the model has IR version {}, {} reads up to {}", version,
                                   name_of(machine), limit),
               .hint = "use a newer ONNX Runtime, or export the model with an older `ir_version`"});
}

Failure too_new_opset(const MachineFacts& machine, const OpsetImport& opset, std::int64_t limit) {
  return fail(
      {.code = ErrorCode::InvalidModel,
       .what = fmt::format("the model uses opset {} of {}, {} reads up to {}", opset.version,
                           opset.domain.empty() ? "ai.onnx" : opset.domain, name_of(machine), limit),
       .hint = fmt::format("use a newer ONNX Runtime, or export the model for opset {}; the config entry "
                           "`session.allow_released_opsets_only` = `0` tries all the same, from 1.32 on",
                           limit)});
}

}  // namespace

Result<void> check_model_fits(const MachineFacts& machine, const ModelInfo& model) {
  const ReleaseSupport* limits = limits_of(machine.api_version);
  if (limits == nullptr) return {};
  if (model.ir_version > limits->ir) return too_new_ir(machine, model.ir_version, limits->ir);
  for (const OpsetImport& opset : model.opsets) {
    const bool own = opset.domain.empty() || opset.domain == "ai.onnx.ml";
    const std::int64_t limit = opset.domain.empty() ? limits->opset : limits->ml_opset;
    if (own && opset.version > limit && !machine.unreleased_opsets)
      return too_new_opset(machine, opset, limit);
  }
  return {};
}

}  // namespace plan

std::vector<OpCount> foreign_operators(const ModelInfo& model) {
  std::vector<OpCount> foreign;
  std::ranges::copy_if(model.ops, std::back_inserter(foreign), [](const OpCount& op) {
    return !op.defined_here && std::ranges::find(plan::kOwnDomains, op.domain) == std::end(plan::kOwnDomains);
  });
  return foreign;
}

}  // namespace surefoot
