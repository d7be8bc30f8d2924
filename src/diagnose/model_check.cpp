#include "surefoot/model_check.hpp"

#include <algorithm>

#include "diagnose/model_checks.hpp"

namespace surefoot {

bool ModelCheck::is_ready() const {
  return std::ranges::none_of(
      findings, [](const ModelFinding& finding) { return finding.severity == Severity::Error; });
}

Result<ModelCheck> check_model(const std::filesystem::path& path, std::span<const RuntimeFound> runtimes) {
  auto info = inspect(path);
  if (!info) return fail(std::move(info).error());
  auto outline = onnx::read_outline(path);
  if (!outline) return fail(std::move(outline).error());
  ModelCheck check{.info = std::move(*info)};
  if (check.info.format != ModelFormat::Onnx) return check;
  diagnose::check_runtimes(check, runtimes);
  const diagnose::CheckedModel model{path, check.info, *outline};
  for (const auto one :
       {diagnose::check_operators, diagnose::check_compiled_parts, diagnose::check_weights,
        diagnose::check_frozen_batch, diagnose::check_unknown_shapes, diagnose::check_free_dimensions,
        diagnose::check_graph_capture, diagnose::check_half_precision, diagnose::check_locales})
    one(model, check.findings);
  std::ranges::stable_sort(check.findings, {}, &ModelFinding::severity);
  return check;
}

}  // namespace surefoot
