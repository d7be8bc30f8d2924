#include "probe/verdict_store.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <system_error>

#include "cache/default_folder.hpp"
#include "file/new_file.hpp"

namespace surefoot::probe {
namespace {

constexpr std::array kOutcomes = {ProbeOutcome::Works,   ProbeOutcome::Failed, ProbeOutcome::WrongNumbers,
                                  ProbeOutcome::Crashed, ProbeOutcome::Exited, ProbeOutcome::Hung};

/// Texts stand on one line each.
std::string escaped(std::string_view text) {
  std::string line;
  for (const char letter : text)
    line += letter == '\n' ? "\\n" : letter == '\\' ? "\\\\" : std::string(1, letter);
  return line;
}

std::string unescaped(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool is_escape = line[i] == '\\' && i + 1 < line.size();
    if (is_escape) ++i;
    text += is_escape && line[i] == 'n' ? '\n' : line[i];
  }
  return text;
}

void read_line(std::string_view word, std::string text, ProbeVerdict& verdict, bool& decided) {
  if (word == "outcome") {
    for (const ProbeOutcome outcome : kOutcomes)
      if (to_string(outcome) == text) verdict.outcome = outcome, decided = true;
  } else if (word == "device") {
    verdict.devices.push_back(std::move(text));
  } else if (word == "elapsed_ms") {
    std::int64_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    verdict.elapsed = std::chrono::milliseconds(count);
  } else {
    std::string* const into = word == "provider"  ? &verdict.provider
                              : word == "what"    ? &verdict.what
                              : word == "hint"    ? &verdict.hint
                              : word == "stage"   ? &verdict.stage
                              : word == "version" ? &verdict.runtime_version
                              : word == "output"  ? &verdict.output
                                                  : nullptr;
    if (into != nullptr) *into = std::move(text);
  }
}

}  // namespace

void read_answer(std::string_view text, ProbeVerdict& verdict, bool& decided) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t space = line.find(' ');
    if (space != line.npos)
      read_line(line.substr(0, space), unescaped(line.substr(space + 1)), verdict, decided);
  }
}

Result<VerdictStore> VerdictStore::open(const std::filesystem::path& folder) {
  if (!folder.empty()) return VerdictStore(folder);
  auto models = cache::default_folder();
  if (!models) return fail(std::move(models).error());
  return VerdictStore(models->parent_path() / "probes");
}

std::optional<ProbeVerdict> VerdictStore::find(const cache::Digest& state) const {
  std::ifstream file(folder_ / (state + ".txt"), std::ios::binary);
  if (!file) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ProbeVerdict verdict{.remembered = true};
  bool decided = false;
  read_answer(text, verdict, decided);
  return decided ? std::optional(std::move(verdict)) : std::nullopt;
}

Result<void> VerdictStore::keep(const cache::Digest& state, const ProbeVerdict& verdict) const {
  std::error_code problem;
  std::filesystem::create_directories(folder_, problem);
  auto file = file::NewFile::create(folder_ / (state + ".txt"));
  if (!file) return fail(std::move(file).error());
  std::string text;
  const auto line = [&](std::string_view word, std::string_view value) {
    if (!value.empty()) text += fmt::format("{} {}\n", word, escaped(value));
  };
  line("provider", verdict.provider);
  line("what", verdict.what);
  line("hint", verdict.hint);
  line("stage", verdict.stage);
  line("version", verdict.runtime_version);
  line("output", verdict.output);
  for (const std::string& device : verdict.devices) line("device", device);
  line("elapsed_ms", std::to_string(verdict.elapsed.count()));
  line("outcome", to_string(verdict.outcome));
  if (auto written = file->write(text); !written) return written;
  return file->commit();
}

}  // namespace surefoot::probe
