#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <iostream>
#include <iterator>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/input/file_bytes.hpp"
#include "apps/cli/output/explanation_text.hpp"
#include "apps/cli/talk.hpp"
#include "error/suggest.hpp"

namespace surefoot::cli {
namespace {

constexpr Flag kExplainFlags[] = {
    {.name = "list", .help = "list all entries; with --json, whole"},
    {.name = "all", .help = "print everything that was recognised, not the best three"}};

/// More would bury the best one.
constexpr std::size_t kShown = 3;

Exit list_entries(bool as_json) {
  if (as_json) {
    auto json = document("errors");
    for (const ErrorEntry& entry : error_catalogue()) json["entries"].push_back(json_of(entry));
    print(json);
    return Exit::Yes;
  }
  for (const ErrorEntry& entry : error_catalogue()) fmt::print("{:<32}{}\n", entry.slug, entry.meaning);
  return Exit::Yes;
}

Exit show_entry(const ErrorEntry& entry, bool as_json) {
  if (!as_json) return fmt::print("{}", entry_text(entry)), Exit::Yes;
  auto json = document("errors");
  json["entries"].push_back(json_of(entry));
  print(json);
  return Exit::Yes;
}

Result<std::string> text_of_file(const std::filesystem::path& path) {
  auto bytes = read_file(path);
  if (!bytes) return fail(std::move(bytes).error());
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

/// What the words stand for: `-` is stdin, the name of a file its content, anything else a message.
Result<std::string> text_of(const std::string& words) {
  if (words == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
  std::error_code is_no_path;
  if (std::filesystem::exists(words, is_no_path)) return text_of_file(words);
  return words;
}

void print_explanations(std::span<const Explanation> all, bool every) {
  const std::size_t shown = every ? all.size() : std::min(all.size(), kShown);
  for (std::size_t i = 0; i < shown; ++i)
    fmt::print("{}{}", i == 0 ? "" : "\n",
               i == 0 || every ? explanation_text(all[i]) : short_explanation(all[i]));
  if (shown < all.size())
    say(fmt::format("\n{} more were recognised: --all prints them\n", all.size() - shown));
}

std::string hint_for(const std::string& words) {
  std::vector<std::string> slugs;
  for (const ErrorEntry& entry : error_catalogue()) slugs.push_back(entry.slug);
  const auto near = nearest(words, slugs);
  return near.empty() ? "`surefoot explain --list` names all entries"
                      : fmt::format("did you mean `{}`?", near);
}

Exit answer(const std::vector<Explanation>& all, const std::string& words, const Parsed& parsed) {
  if (parsed.has("json")) {
    auto json = document("explain");
    json["explanations"] = nlohmann::ordered_json::array();
    for (const Explanation& each : all) json["explanations"].push_back(json_of(each));
    print(json);
  } else {
    print_explanations(all, parsed.has("all"));
  }
  if (!all.empty()) return Exit::Yes;
  say(fmt::format("nothing in this text is known\n\nhint: {}\n", hint_for(words)));
  return Exit::No;
}

Result<Exit> explain_words(const Parsed& parsed) {
  if (parsed.has("list")) return list_entries(parsed.has("json"));
  const std::string words = fmt::format("{}", fmt::join(parsed.positionals(), " "));
  if (words.empty())
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = "`explain` wants a message, the name of an entry, a file, or `-` for stdin",
                 .hint = "see `surefoot explain -h`"});
  if (const ErrorEntry* entry = find_error_entry(words)) return show_entry(*entry, parsed.has("json"));
  auto text = text_of(words);
  if (!text) return fail(std::move(text).error());
  return answer(explain(*text), words, parsed);
}

}  // namespace

const Command& explain_command() {
  static const Command kCommand{
      .name = "explain",
      .summary = "say what an error message means and what to do about it",
      .description =
          "Looks for known messages of ONNX Runtime, its providers, CUDA, TensorRT, OpenVINO, protobuf and "
          "Surefoot in a message, a log or a Python traceback, and prints what is known of the best, with "
          "the "
          "paths and names of the text filled in. Text in which nothing is known gives nothing and exit 1: "
          "no "
          "entry is guessed. The name of an entry prints all of it.",
      .positional = "[TEXT]",
      .positional_help = "a message, the name of an entry, a file, or - for stdin",
      .least_words = 0,
      .most_words = 10'000,
      .flags = {kExplainFlags, kJson},
      .examples = {"surefoot explain cuda-library-missing", "python app.py 2>&1 | surefoot explain -",
                   "surefoot explain 'CUDA failure 35: CUDA driver version is insufficient'"},
      .run = explain_words};
  return kCommand;
}

}  // namespace surefoot::cli
