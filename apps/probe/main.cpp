// surefoot-probe LIBRARY PROVIDER [--plugin NAME FILE]... [--option KEY VALUE]...
// surefoot-probe LIBRARY --artifact FILE FORM [--option KEY VALUE]...
//
// Loads ONNX Runtime from LIBRARY, runs a one-node model on PROVIDER, or a cached model of that form on the
// CPU, and answers on descriptor 3, in lines of `word text`; src/probe/verdict_store.cpp reads them. What it
// does next is said before it is done, since it may be the last thing.
#include <fmt/format.h>
#include <unistd.h>

#include <span>
#include <string>
#include <vector>

#include "apps/probe/crash_report.hpp"
#include "provider/catalogue.hpp"
#include "session/artifact.hpp"
#include "session/probe_words.hpp"
#include "session/sample_run.hpp"
#include "surefoot/isolated_probe.hpp"
#include "surefoot/probe.hpp"

namespace surefoot {
namespace {

constexpr int kAnswer = 3;
constexpr int kUsage = 2;

void answer(std::string_view word, std::string_view text) {
  std::string line(word);
  line += ' ';
  for (const char letter : text)
    line += letter == '\n' ? "\\n" : letter == '\\' ? "\\\\" : std::string(1, letter);
  line += '\n';
  if (::write(kAnswer, line.data(), line.size()) < 0) ::_exit(kUsage);
}

struct Task {
  std::string library, provider = {};
  std::string artifact = {}, form = {};  ///< where no provider is probed
  std::vector<std::pair<std::string, std::string>> plugins = {};
  ProviderOptions options = {};
};

std::optional<Task> task_from(std::span<char*> words) {
  if (words.size() < 3) return std::nullopt;
  Task task{.library = words[1]};
  const bool is_of_artifact = std::string_view(words[2]) == "--artifact";
  if (is_of_artifact && words.size() < 5) return std::nullopt;
  if (is_of_artifact)
    task.artifact = words[3], task.form = words[4];
  else
    task.provider = words[2];
  for (std::size_t i = is_of_artifact ? 5 : 3; i + 2 < words.size(); i += 3) {
    const std::string_view kind = words[i];
    if (kind == "--plugin") task.plugins.emplace_back(words[i + 1], words[i + 2]);
    if (kind == "--option") task.options[words[i + 1]] = words[i + 2];
  }
  return task;
}

int decide(ProbeOutcome outcome, const Error& error = {}) {
  if (!error.what.empty()) answer("what", error.what);
  if (!error.hint.empty()) answer("hint", error.hint);
  answer("outcome", to_string(outcome));
  return 0;
}

void answer_devices(const Runtime& runtime, const std::string& provider) {
  const provider::ProviderSpec* row = provider::find(provider);
  for (const DeviceInfo& device : runtime.devices())
    if (device.provider == provider || (row != nullptr && row->ort_name == device.provider))
      answer("device", fmt::format("{} {}", device.kind, device.vendor));
}

int open_artifact(const Runtime& runtime, const Task& task) {
  answer("stage", "opening");
  const session::ArtifactForm* form = session::find_form(task.form);
  if (form == nullptr) return decide(ProbeOutcome::Failed, {.what = "has an unknown form"});
  const auto opened = session::open_artifact(runtime.environment(), task.artifact,
                                             {.intra_op_threads = 1, .entries = task.options}, *form);
  if (!opened) return decide(ProbeOutcome::Failed, opened.error());
  answer("stage", "running");
  const auto same = session::compare_on_samples(**opened, **opened);
  return same ? decide(ProbeOutcome::Works) : decide(ProbeOutcome::Failed, same.error());
}

int probe_provider(Runtime& runtime, const Task& task) {
  answer("stage", "registering");
  for (const auto& [name, file] : task.plugins)
    if (auto registered = runtime.register_plugin(name, file); !registered)
      return decide(ProbeOutcome::Failed, registered.error());
  answer_devices(runtime, task.provider);
  answer("stage", "running");
  auto probed = probe(runtime, task.provider, task.options);
  if (probed) return decide(ProbeOutcome::Works);
  const bool wrong = probed.error().what.starts_with(session::kWrongProduct);
  return decide(wrong ? ProbeOutcome::WrongNumbers : ProbeOutcome::Failed, probed.error());
}

int carry_out(const Task& task) {
  answer("stage", "loading");
  auto runtime = Runtime::load({.library = task.library});
  if (!runtime) return decide(ProbeOutcome::Failed, runtime.error());
  answer("version", runtime->version());
  return task.artifact.empty() ? probe_provider(*runtime, task) : open_artifact(*runtime, task);
}

}  // namespace
}  // namespace surefoot

int main(int count, char** words) {
  using namespace surefoot;
  const auto task = task_from({words, static_cast<std::size_t>(count)});
  if (!task) {
    fmt::print(stderr, "surefoot-probe is started by Surefoot; see `surefoot providers --probe`\n");
    return kUsage;
  }
  report_crashes(kAnswer);
  // Not by return: what libraries do at the end of a process is no part of the question.
  ::_exit(carry_out(*task));
}
