#include "session/compiled_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "provider/catalogue.hpp"

namespace surefoot::session {
namespace {

// In ORT's words, from 1.23 to 1.32.
constexpr std::string_view kUnfit = "Compiled model is not supported by execution provider";
constexpr std::string_view kSuboptimal = "compiled model is supported but suboptimal";
/// Stands before the provider's name in the model's metadata.
constexpr std::string_view kCompatibility = "ep_compatibility_info.";
constexpr const char* kCompileAgain =
    "compile the model that it was made from again, here: `surefoot compile`";

std::string_view compiler_of(const ModelInfo& model) {
  return provider::short_name(model.ep_contexts.front().provider);
}

/// "`qnn` 2.51 (`v2:6:2.51.0`)": who compiled the part, and what was left there to know it by.
std::string origin_of(const ModelInfo& model) {
  const EpContext& part = model.ep_contexts.front();
  std::string text = fmt::format("`{}`", compiler_of(model));
  if (!part.sdk_version.empty()) text += " " + part.sdk_version;
  const auto mark = model.metadata.find(std::string(kCompatibility) + part.provider);
  if (mark != model.metadata.end()) text += fmt::format(" (`{}`)", mark->second);
  return text;
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

Error explain_compiled_parts(Error error, const ModelInfo& model) {
  if (model.ep_contexts.empty()) return error;
  error.hint = kCompileAgain;
  if (error.what.find(kUnfit) == std::string::npos)
    return std::move(error).while_doing(fmt::format(
        "loading a part compiled by {}, perhaps of another version or for other hardware", origin_of(model)));
  error.code = ErrorCode::Unsupported;
  error.what = fmt::format(
      "the model's compiled part does not fit the `{}` that is here: it is of another version, "
      "or for other hardware, made by {}",
      compiler_of(model), origin_of(model));
  return error;
}

std::optional<Error> note_on_compiled_parts(const ModelInfo& model, std::span<const std::string> warnings) {
  const auto says_so = [](const std::string& line) { return line.find(kSuboptimal) != std::string::npos; };
  if (model.ep_contexts.empty() || std::ranges::none_of(warnings, says_so)) return std::nullopt;
  return Error{
      .code = ErrorCode::Unsupported,
      .what = fmt::format("the model's compiled part runs on the `{}` that is here, and would run better "
                          "compiled anew; it was made by {}",
                          compiler_of(model), origin_of(model)),
      .hint = kCompileAgain};
}

Error name_missing_compiler(Error error, const ModelInfo& model, const Plan& plan) {
  if (model.ep_contexts.empty() || !plan.viable().empty()) return error;
  Error reason = why_absent(plan, compiler_of(model));
  error.code = reason.code;
  error.what = fmt::format("the model holds a part compiled for `{}`: {}", compiler_of(model), reason.what);
  error.hint = reason.hint;
  return error;
}

}  // namespace surefoot::session
