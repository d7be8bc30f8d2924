#include "session/compiled_parts.hpp"

#include <fmt/format.h>

#include "ort/model_compiler.hpp"
#include "provider/catalogue.hpp"

namespace surefoot::session {
namespace {

/// Stands before the provider's name in the model's metadata.
constexpr std::string_view kCompatibility = "ep_compatibility_info.";
constexpr const char* kCompileAgain =
    "compile the model that it was made from again, here: `surefoot compile`";

std::string made_by(const ModelInfo& model) {
  const EpContext& part = model.ep_contexts.front();
  return fmt::format("`{}`{}{}", provider::short_name(part.provider), part.sdk_version.empty() ? "" : " ",
                     part.sdk_version);
}

/// What a session on the provider said before it was opened, or that nobody knows it.
Error why_absent(const Plan& plan, std::string_view name) {
  const Candidate* candidate = plan.candidate(name);
  if (candidate != nullptr && candidate->reason) return *candidate->reason;
  return {
      .code = ErrorCode::Unsupported,
      .what = "no provider of that name is here or registered",
      .hint = fmt::format("register the library of `{}`, or use the model that it was compiled from", name)};
}

}  // namespace

Result<std::optional<Error>> check_compiled_parts(const ModelInfo& model, const Runtime& runtime) {
  if (model.ep_contexts.empty()) return std::nullopt;
  for (const auto& [key, text] : model.metadata) {
    if (!key.starts_with(kCompatibility)) continue;
    const std::string name = key.substr(kCompatibility.size());
    const ort::CompiledFit fit = ort::fit_of_compiled(runtime.environment(), name, text);
    if (fit == ort::CompiledFit::Unsupported)
      return fail(
          {.code = ErrorCode::Unsupported,
           .what = fmt::format("the model's compiled part does not fit the `{}` that is here: it is of "
                               "another version, or for other hardware (`{}`)",
                               provider::short_name(name), text),
           .hint = kCompileAgain});
    if (fit == ort::CompiledFit::Recompile)
      return Error{
          .code = ErrorCode::Unsupported,
          .what = fmt::format("the model's compiled part runs on the `{}` that is here, and would run "
                              "better compiled anew (`{}`)",
                              provider::short_name(name), text),
          .hint = kCompileAgain};
  }
  return std::nullopt;
}

Error name_missing_compiler(Error error, const ModelInfo& model, const Plan& plan) {
  if (model.ep_contexts.empty() || !plan.viable().empty()) return error;
  const std::string_view name = provider::short_name(model.ep_contexts.front().provider);
  Error reason = why_absent(plan, name);
  error.code = reason.code;
  error.what = fmt::format("the model holds a part compiled for `{}`: {}", name, reason.what);
  error.hint = reason.hint;
  return error;
}

Error suspect_compiled_parts(Error error, const ModelInfo& model) {
  if (model.ep_contexts.empty()) return error;
  error.what += fmt::format(
      "; the model holds a part compiled by {}, which may be another version or for other "
      "hardware than what is here",
      made_by(model));
  error.hint = kCompileAgain;
  return error;
}

}  // namespace surefoot::session
