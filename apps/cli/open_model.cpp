#include "apps/cli/open_model.hpp"

#include "apps/cli/session_flags.hpp"

namespace surefoot::cli {

Result<Session> open_model(const Parsed& parsed) {
  auto options = session_options_from(parsed);
  if (!options) return fail(std::move(options).error());
  return open_model(parsed, std::move(*options));
}

Result<Session> open_model(const Parsed& parsed, SessionOptions options) {
  const std::filesystem::path model = parsed.positionals().front();
  if (auto info = inspect(model); !info) return fail(std::move(info).error());
  if (!options.runtime) {
    auto runtime = runtime_from(parsed);
    if (!runtime) return fail(std::move(runtime).error());
    options.runtime = std::move(*runtime);
  }
  return Session::open(model, std::move(options));
}

}  // namespace surefoot::cli
