#include "apps/cli/sides.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/session_flags.hpp"

namespace surefoot::cli {
namespace {

Result<std::vector<std::string>> providers_from(const Parsed& parsed) {
  auto names = parsed.list("between");
  if (!names.empty() && names.size() != 2)
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("`--between {}`: two providers are wanted", parsed.value("between")),
                 .hint = "write them with a comma: `--between openvino,cpu`"});
  return names;
}

/// What holds for the second side alone.
Result<void> apply_other(const Parsed& parsed, SessionOptions& options) {
  if (parsed.has("other-runtime")) {
    auto runtime = Runtime::load({.library = parsed.value("other-runtime")});
    if (!runtime) return fail(std::move(runtime).error());
    options.runtime = std::move(*runtime);
  }
  auto entries = parsed.pairs("other-config");
  if (!entries) return fail(std::move(entries).error());
  for (auto& [key, value] : *entries) options.config[key] = value;
  if (parsed.has("other-optimization"))
    options.optimization = optimization_named(parsed.value("other-optimization"));
  return {};
}

/// Whether the second side differs from the first in anything but its provider.
bool other_is_stated(const Parsed& parsed) {
  return parsed.positionals().size() > 1 ||
         std::ranges::any_of(std::array{"other-runtime", "other-config", "other-optimization"},
                             [&](const char* flag) { return parsed.has(flag); });
}

Result<void> open(Side& side, const std::string& provider, bool with_model_name) {
  if (!provider.empty()) side.options = on_provider(std::move(side.options), provider);
  auto session = Session::open(side.model, side.options);
  if (!session) return fail(std::move(session).error());
  if (!provider.empty())
    if (auto checked = check_provider(*session, provider); !checked) return checked;
  side.name = session->provider();
  if (with_model_name) side.name += ", " + side.model.filename().string();
  side.session = std::move(*session);
  return {};
}

}  // namespace

SessionOptions on_provider(SessionOptions options, const std::string& provider) {
  options.providers.prefer.clear();
  options.providers.only = {provider, "cpu"};
  return options;
}

Result<void> check_provider(const Session& session, const std::string& provider) {
  const Candidate& first = session.plan().candidates().front();
  if (session.provider() == first.name) return {};
  const auto events = session.events();
  Error reason = first.reason      ? *first.reason
                 : !events.empty() ? events.front().error
                                   : Error{.code = ErrorCode::ProviderFailed, .what = "it was not chosen"};
  reason.what = fmt::format("`{}` is not used: {}", provider, reason.what);
  return fail(std::move(reason));
}

Result<std::array<Side, 2>> sides_from(const Parsed& parsed) {
  auto names = providers_from(parsed);
  if (!names) return fail(std::move(names).error());
  auto options = session_options_from(parsed);
  if (!options) return fail(std::move(options).error());
  for (const std::string& model : parsed.positionals())
    if (auto info = inspect(model); !info) return fail(std::move(info).error());
  auto runtime = runtime_from(parsed);
  if (!runtime) return fail(std::move(runtime).error());
  options->runtime = std::move(*runtime);
  const auto& models = parsed.positionals();
  std::array<Side, 2> sides{Side{.model = models.front(), .options = *options},
                            Side{.model = models.back(), .options = *options}};
  if (auto applied = apply_other(parsed, sides[1].options); !applied) return fail(std::move(applied).error());
  // Where nothing else differs, the best provider is held against the CPU.
  if (names->empty() && !other_is_stated(parsed)) *names = {"", "cpu"};
  names->resize(2);
  for (std::size_t i = 0; i < sides.size(); ++i)
    if (auto opened = open(sides[i], (*names)[i], models.size() > 1); !opened)
      return fail(std::move(opened).error().while_doing(
          fmt::format("opening the {} side", i == 0 ? "first" : "second")));
  return sides;
}

}  // namespace surefoot::cli
