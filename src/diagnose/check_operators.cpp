#include <fmt/format.h>

#include <algorithm>

#include "diagnose/model_checks.hpp"
#include "surefoot/plan.hpp"

namespace surefoot::diagnose {
namespace {

using onnx::NodeOutline;

struct Supplier {
  std::string_view domain, hint;
};

/// Who brings the operators of a domain.
constexpr Supplier kSuppliers[] = {
    {"ai.onnx.contrib", "`pip install onnxruntime-extensions`, and give its library (--custom-ops)"},
    {"com.microsoft.extensions", "`pip install onnxruntime-extensions`, and give its library (--custom-ops)"},
    {"mmdeploy", "give mmdeploy's libmmdeploy_onnxruntime_ops.so (--custom-ops)"},
    {"mmcv", "give mmcv's or mmdeploy's library of operators (--custom-ops)"},
    {"trt.plugins", "give TensorRT the plugin library (`trt_extra_plugin_lib_paths`)"},
    {"pkg.onnxscript.torch_lib", "export the model again: its functions were left out of it"},
};

constexpr std::string_view kElse = "give the library that implements them (--custom-ops)";

std::string_view hint_for(std::string_view domain) {
  const auto known = std::ranges::find(kSuppliers, domain, &Supplier::domain);
  return known == std::end(kSuppliers) ? kElse : known->hint;
}

bool is_any_port(const ModelInfo& info, ElementType type) {
  const auto has_type = [&](const ValueInfo& port) { return port.type.element == type; };
  return std::ranges::any_of(info.inputs, has_type) || std::ranges::any_of(info.outputs, has_type);
}

}  // namespace

std::vector<std::string> names_of(std::span<const NodeOutline* const> nodes) {
  constexpr std::size_t kNamed = 10;
  std::vector<std::string> names;
  for (const NodeOutline* node : nodes.first(std::min(nodes.size(), kNamed)))
    names.push_back(fmt::format("`{}` ({})", node->label(), node->op));
  if (nodes.size() > kNamed) names.push_back(fmt::format("and {} more", nodes.size() - kNamed));
  return names;
}

void check_operators(const CheckedModel& model, Findings& findings) {
  std::map<std::string, std::vector<std::string>> by_domain;
  for (const OpCount& op : foreign_operators(model.info))
    by_domain[op.domain].push_back(fmt::format("{} x{}", op.op, op.count));
  for (auto& [domain, ops] : by_domain)
    findings.push_back(
        {.severity = Severity::Error,
         .topic = "operators",
         .what = fmt::format("operators of the domain `{}` are not ONNX Runtime's own", domain),
         .details = std::move(ops),
         .hint = std::string(hint_for(domain)),
         .slug = "operator-not-registered"});
}

void check_compiled_parts(const CheckedModel& model, Findings& findings) {
  for (const EpContext& context : model.info.ep_contexts)
    findings.push_back({.severity = Severity::Warning,
                        .topic = "compiled",
                        .what = fmt::format("a part is compiled for `{}`, and only that provider can run it",
                                            context.provider),
                        .hint = "keep the model that it was compiled from for other providers",
                        .slug = "compiled-for-another-provider"});
}

void check_locales(const CheckedModel& model, Findings& findings) {
  ModelFinding finding{.severity = Severity::Warning,
                       .topic = "text",
                       .hint = "install the locale where the model runs, or export with the locale `C`",
                       .slug = "locale-missing"};
  for (const NodeOutline& node : model.outline.nodes) {
    const auto locale = node.texts.find("locale");
    if (node.op != "StringNormalizer" || locale == node.texts.end() || locale->second == "C") continue;
    finding.details.push_back(fmt::format("`{}`: {}", node.label(), locale->second));
  }
  if (finding.details.empty()) return;
  finding.what = fmt::format("{} text operator{} a locale of the system", finding.details.size(),
                             finding.details.size() == 1 ? " wants" : "s want");
  findings.push_back(std::move(finding));
}

void check_half_precision(const CheckedModel& model, Findings& findings) {
  for (const ElementType type : {ElementType::Float16, ElementType::BFloat16}) {
    const auto counted = model.outline.weights.find(type);
    const std::size_t weights = counted == model.outline.weights.end() ? 0 : counted->second;
    if (weights == 0 && !is_any_port(model.info, type)) continue;
    const bool brain = type == ElementType::BFloat16;
    findings.push_back(
        {.severity = brain ? Severity::Warning : Severity::Note,
         .topic = "types",
         .what = brain ? "computes in bfloat16, for which the CPU provider lacks most operators"
                       : "computes in float16, which the CPU provider casts to float32 and back",
         .details = {fmt::format("{} weight{} of this type", weights, weights == 1 ? "" : "s")},
         .hint = "use a float32 model where it runs on the CPU, fallback included",
         .slug = brain ? "operator-without-kernel" : "cpu-only-fp16"});
  }
}

}  // namespace surefoot::diagnose
