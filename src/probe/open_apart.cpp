#include "probe/open_apart.hpp"

#include <fmt/format.h>

#include "probe/child_process.hpp"
#include "probe/heed.hpp"
#include "probe/program.hpp"

namespace surefoot::probe {

Result<void> open_apart(const OpeningApart& opening, const IsolationOptions& options) {
  auto program = find_program(options.program);
  if (!program) return fail(std::move(program).error());
  std::vector<std::string> command = {program->string(), opening.library.string(), "--artifact",
                                      opening.file.string(), opening.form};
  for (const auto& [key, value] : opening.entries) command.insert(command.end(), {"--option", key, value});
  auto end = run_child(command, options.limit);
  if (!end) return fail(std::move(end).error());
  ProbeVerdict verdict;
  judge(*end, options.limit, verdict);
  if (verdict.outcome == ProbeOutcome::Works) return {};
  return fail(
      {.code = ErrorCode::InvalidModel,
       .what = fmt::format("opened in a process of its own, the model in the form `{}` {}{}", opening.form,
                           is_harmful(verdict.outcome) ? "" : "failed: ", verdict.what)});
}

}  // namespace surefoot::probe
