#include "surefoot/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/input/call_inputs.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"

namespace surefoot::cli {
namespace {

constexpr Flag kMemoryFlags[] = {
    {.name = "small-input",
     .value = "NAME=SPEC",
     .help = "of the smallest run; those left out are made up",
     .repeats = true,
     .completion = Completion::File},
    {.name = "scale",
     .value = "N",
     .help = "how much longer free axes of the largest made-up run are; default 4"},
};

struct Column {
  std::string_view key, title, saves;
  std::int64_t MemoryUse::*value;
};

constexpr std::array<Column, 5> kColumns = {
    {{"opening_peak", "opening", "opening", &MemoryUse::opening},
     {"opened", "opened", "once opened", &MemoryUse::opened},
     {"largest", "largest", "after the largest", &MemoryUse::largest},
     {"smallest", "smallest", "after the smallest", &MemoryUse::smallest},
     {"further", "further", "a further session", &MemoryUse::further}}};

std::string bytes_text(std::int64_t bytes) {
  return bytes < 0 ? "-" + size_text(static_cast<std::uint64_t>(-bytes))
                   : size_text(static_cast<std::uint64_t>(bytes));
}

std::string title_of(const MemoryPolicy& policy) {
  return policy.cache_form.empty() ? policy.name : fmt::format("{}, {}", policy.name, policy.cache_form);
}

void print_row(std::string_view name, const MemoryUse& use) {
  fmt::print("{:<32}", name);
  for (const Column& column : kColumns) fmt::print("{:>10}", bytes_text(use.*column.value));
  fmt::print("\n");
}

void print_saving(const MemoryPolicy& policy) {
  std::string text;
  for (const Column& column : kColumns)
    if (policy.saved.*column.value > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", bytes_text(policy.saved.*column.value),
                          column.saves);
  fmt::print("  {}: {}\n    library       {}\n", policy.name, text, policy.library);
  if (!policy.command_line.empty()) fmt::print("    command line  {}\n", policy.command_line);
}

void print_savings(const MemoryReport& report) {
  const bool any = std::ranges::any_of(report.policies, &MemoryPolicy::gains);
  fmt::print("\n{}\n", any ? "would save" : "nothing to gain: no setting saves more than noise");
  for (const MemoryPolicy& policy : report.policies)
    if (policy.gains()) print_saving(policy);
}

void print_text(const MemoryReport& report) {
  fmt::print("weights  {}, in a file of {}\nprovider {}\n\n", size_text(report.weight_bytes),
             size_text(report.file_bytes), report.provider);
  fmt::print("{:<32}", "");
  for (const Column& column : kColumns) fmt::print("{:>10}", column.title);
  fmt::print("\n");
  print_row("as asked for", report.use);
  print_row("  three were apart by", report.noise);
  for (const MemoryPolicy& policy : report.policies)
    policy.error ? fmt::print("{:<32}not measured: {}\n", policy.name, policy.error->what)
                 : print_row(title_of(policy), policy.use);
  print_savings(report);
}

nlohmann::ordered_json json_of(const MemoryUse& use) {
  nlohmann::ordered_json json;
  for (const Column& column : kColumns) json[fmt::format("{}_bytes", column.key)] = use.*column.value;
  return json;
}

nlohmann::ordered_json json_of(const MemoryPolicy& policy) {
  nlohmann::ordered_json json = {
      {"name", policy.name}, {"gains", policy.gains()}, {"library", policy.library}};
  json["command_line"] =
      policy.command_line.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(policy.command_line);
  if (!policy.cache_form.empty()) json["cache_form"] = policy.cache_form;
  if (policy.error)
    json["error"] = policy.error->what;
  else
    json["use"] = json_of(policy.use), json["saved"] = json_of(policy.saved);
  return json;
}

void print_json(const MemoryReport& report) {
  auto json = document("memory");
  json["provider"] = report.provider;
  json["file_bytes"] = report.file_bytes;
  json["weight_bytes"] = report.weight_bytes;
  json["use"] = json_of(report.use);
  json["noise"] = json_of(report.noise);
  json["policies"] = nlohmann::ordered_json::array();
  for (const MemoryPolicy& policy : report.policies) json["policies"].push_back(json_of(policy));
  print(json);
}

/// Given inputs serve both runs where no smaller ones are given.
Result<std::vector<NamedValue>> smallest_from(const Parsed& parsed, const ModelInfo& info) {
  if (parsed.has("input") && !parsed.has("small-input")) return std::vector<NamedValue>();
  return given_or_made_up(parsed, info, {.flag = "small-input"});
}

Result<Exit> run_memory(const Parsed& parsed) {
  const std::string& model = parsed.positionals().front();
  auto session = session_options_from(parsed);
  if (!session) return fail(std::move(session).error());
  auto info = inspect(model);
  if (!info) return fail(std::move(info).error());
  auto scale = parsed.integer("scale", 1);
  if (!scale) return fail(std::move(scale).error());
  auto largest = given_or_made_up(parsed, *info, {.scale = scale->value_or(4)});
  if (!largest) return fail(std::move(largest).error());
  auto smallest = smallest_from(parsed, *info);
  if (!smallest) return fail(std::move(smallest).error());
  auto runtime = runtime_from(parsed);
  if (!runtime) return fail(std::move(runtime).error());
  session->runtime = std::move(*runtime);
  const std::vector<Input> large = as_inputs(*largest), small = as_inputs(*smallest);
  auto report = measure_memory(model, {.session = *std::move(session), .largest = large, .smallest = small});
  if (!report) return fail(with_sample_hint(std::move(report).error(), parsed));
  parsed.has("json") ? print_json(*report) : print_text(*report);
  return Exit::Yes;
}

}  // namespace

const Command& memory_command() {
  static const Command kCommand{
      .name = "memory",
      .summary = "measure the memory that a model takes, and what would save some",
      .description =
          "Opens and runs the model: the peak while opening, what is held once open, after a run on the "
          "largest "
          "input and one on the smallest, and by each further session. Then the same with each setting that "
          "may save memory, and which of them did beyond noise. Files that are mapped count for the peak "
          "alone.",
      .positional = "MODEL",
      .positional_help = "the model's file",
      .flags = {kMemoryFlags, sample_flags(), selection_flags(), session_flags(), model_flags(),
                runtime_flags(), kJson},
      .examples = {"surefoot memory model.onnx",
                   "surefoot memory model.onnx -i image=large.npy --small-input image=small.npy",
                   "surefoot memory model.onnx --scale 16 --no-arena"},
      .run = run_memory};
  return kCommand;
}

}  // namespace surefoot::cli
