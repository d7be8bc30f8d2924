#include "compile/request_check.hpp"

#include <fmt/format.h>

#include "provider/catalogue.hpp"

namespace surefoot::compilation {
namespace {

Result<void> check_options(const SessionOptions& options) {
  const struct {
    bool is_set;
    std::string_view name;
  } fields[] = {{options.cache.has_value(), "cache"},
                {!options.weights.empty(), "weights"},
                {!options.optimized_model.empty(), "optimized_model"},
                {!options.profile_prefix.empty(), "profile_prefix"},
                {!options.external_data_folder.empty(), "external_data_folder"},
                {!options.providers.prefer.empty(), "providers.prefer"},
                {!options.providers.only.empty(), "providers.only"},
                {!options.providers.exclude.empty(), "providers.exclude"}};
  for (const auto& [is_set, name] : fields)
    if (is_set)
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("`{}` has no meaning when a model is compiled", name),
                   .hint = "leave it out: the target is the provider, and the model's own files are read"});
  return {};
}

Result<void> check_source(const ModelInfo& source) {
  if (!source.ep_contexts.empty())
    return fail({.code = ErrorCode::Unsupported,
                 .what = fmt::format("the source is compiled already, for `{}`",
                                     provider::short_name(source.ep_contexts.front().provider)),
                 .hint = "compile the model that it was made from"});
  if (source.format == ModelFormat::OrtFormat)
    return fail({.code = ErrorCode::Unsupported,
                 .what = "the source is in ONNX Runtime's format, which was optimised when it was written",
                 .hint = "compile the ONNX model that it was made from"});
  return {};
}

}  // namespace

Result<void> check_request(const CompileOptions& options, const ModelInfo& source) {
  if (auto checked = check_source(source); !checked) return checked;
  if (auto checked = check_options(options.session); !checked) return checked;
  if (options.form == CompiledForm::OrtFormat && options.external_weights.value_or(false))
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = "ONNX Runtime's format keeps its weights inside",
                 .hint = "choose the form `onnx` for weights in a file of their own"});
  if (options.tolerance && !(*options.tolerance >= 0))
    return fail(
        {.code = ErrorCode::InvalidArgument,
         .what = fmt::format("the tolerance is {}, a fraction from 0 on is wanted", *options.tolerance)});
  return {};
}

}  // namespace surefoot::compilation
