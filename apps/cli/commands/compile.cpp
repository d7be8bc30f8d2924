#include "surefoot/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/input/input_spec.hpp"
#include "apps/cli/input/numbers.hpp"
#include "apps/cli/output/progress.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"

namespace surefoot::cli {
namespace {

constexpr std::array<std::string_view, 3> kForms = {"onnx", "ort", "ep-context"};

constexpr Flag kCompileFlags[] = {
    {.name = "output",
     .letter = 'o',
     .value = "OUT",
     .help = "the file to write, which must not exist",
     .completion = Completion::File},
    {.name = "for",
     .value = "PROVIDER",
     .help = "the provider to compile for: cpu, cuda, tensorrt, openvino, qnn, a plugin's name, …"},
    {.name = "input",
     .letter = 'i',
     .value = "NAME=SPEC",
     .help = "an input that the model is used with, to compare what comes out",
     .details = "SPEC as for `surefoot run --input`. Without any, small inputs are made up.",
     .repeats = true,
     .completion = Completion::File},
    {.name = "form",
     .value = "FORM",
     .help = "what is written; default: what the provider can load",
     .details =
         "onnx, ort: as ONNX Runtime optimised it, in either format. ep-context: parts that the provider "
         "compiled. An OUT that ends in .ort means ort.",
     .choices = kForms},
    {.name = "embed",
     .help = "put what the provider compiled into OUT, not beside it",
     .details = "One file instead of several; large ones open slower, and may open slower than the source."},
    {.name = "external-weights", .help = "put weights into a file beside OUT"},
    {.name = "internal-weights",
     .help = "put weights into OUT, though the source has them in files of their own"},
    {.name = "tolerance",
     .value = "FRACTION",
     .help = "how much outputs may differ, by their largest magnitude",
     .details = "Default: 0.001 for float32, 0.01 for float16, 0.05 for bfloat16; nothing for integers."},
    {.name = "option",
     .value = "P.KEY=VALUE",
     .help = "an option of provider P",
     .details = "Keys and values are checked; `P.raw:KEY=VALUE` passes one unchecked.",
     .repeats = true},
    {.name = "quiet", .letter = 'q', .help = "say nothing on stderr but errors"},
};

Failure missing(std::string_view flag, std::string_view hint) {
  return fail({.code = ErrorCode::InvalidArgument,
               .what = fmt::format("`--{}` is missing", flag),
               .hint = std::string(hint)});
}

Result<void> set_weights(const Parsed& parsed, CompileOptions& options) {
  const bool beside = parsed.has("external-weights"), inside = parsed.has("internal-weights");
  if (beside && inside)
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = "`--external-weights` and `--internal-weights` contradict each other",
                 .hint = "drop one of them"});
  if (beside || inside) options.external_weights = beside;
  return {};
}

Result<void> set_tolerance(const Parsed& parsed, CompileOptions& options) {
  if (!parsed.has("tolerance")) return {};
  const auto number = number_from_text(parsed.value("tolerance"));
  if (!number)
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("`--tolerance {}`: a number is wanted, such as 0.001",
                                     parsed.value("tolerance"))});
  options.tolerance = to_double(*number);
  return {};
}

Result<CompileOptions> options_from(const Parsed& parsed) {
  CompileOptions options;
  auto session = session_options_from(parsed);
  if (!session) return fail(std::move(session).error());
  options.session = std::move(*session);
  if (parsed.has("form")) {
    const auto at = std::ranges::find(kForms, parsed.value("form"));
    options.form = static_cast<CompiledForm>(at - kForms.begin());
  }
  options.embed = parsed.has("embed");
  auto done = set_weights(parsed, options);
  if (done) done = set_tolerance(parsed, options);
  if (!done) return fail(std::move(done).error());
  return options;
}

/// The values must outlive what refers to them.
Result<std::vector<NamedValue>> read_inputs(const Parsed& parsed) {
  std::vector<NamedValue> values;
  if (!parsed.has("input")) return values;
  auto info = inspect(parsed.positionals().front());
  if (!info) return fail(std::move(info).error());
  for (const std::string& argument : parsed.values("input")) {
    auto read = read_input(argument, info->inputs);
    if (!read) return fail(std::move(read).error());
    std::ranges::move(*read, std::back_inserter(values));
  }
  return values;
}

double milliseconds(std::chrono::microseconds time) { return static_cast<double>(time.count()) / 1000; }

std::string comparison_text(const CompileValidation& found) {
  const std::string how_far = found.output.empty()
                                  ? "equal bit for bit"
                                  : fmt::format("`{}` differs by {:.2g}, allowed is {:.2g}", found.output,
                                                found.difference, found.tolerance);
  return fmt::format("{} output{} on {} inputs, with `{}` on the source: {}", found.outputs,
                     found.outputs == 1 ? "" : "s", found.made_up_inputs ? "made-up" : "the given",
                     found.reference, how_far);
}

void print_row(std::string_view name, std::string_view text) { fmt::print("  {:<10}{}\n", name, text); }

void print_text(const CompileReport& report) {
  for (const auto& file : report.files) fmt::print("{}\n", file.string());
  print_row("form", to_string(report.form));
  print_row("made by", fmt::format("{}, onnxruntime {}", report.provider, report.onnxruntime));
  if (report.compiled_parts > 0) print_row("parts", std::to_string(report.compiled_parts));
  print_row("size",
            fmt::format("{}, from {}", size_text(report.compiled_bytes), size_text(report.source_bytes)));
  print_row("compiled", fmt::format("in {:.1f} ms", milliseconds(report.compile_time)));
  print_row("opens", fmt::format("in {:.1f} ms, the source in {:.1f} ms", milliseconds(report.load_after),
                                 milliseconds(report.load_before)));
  print_row("compared", comparison_text(report.validation));
  if (!report.compatibility.empty()) print_row("fits", report.compatibility);
}

nlohmann::ordered_json comparison_json(const CompileValidation& found) {
  return {{"reference", found.reference},   {"made_up_inputs", found.made_up_inputs},
          {"outputs", found.outputs},       {"output", found.output},
          {"difference", found.difference}, {"tolerance", found.tolerance}};
}

void print_json(const CompileReport& report) {
  auto json = document("compile");
  json["files"] = nlohmann::ordered_json::array();
  for (const auto& file : report.files) json["files"].push_back(file.string());
  json["form"] = to_string(report.form);
  json["provider"] = report.provider;
  json["onnxruntime"] = report.onnxruntime;
  json["compiled_parts"] = report.compiled_parts;
  json["source_bytes"] = report.source_bytes;
  json["compiled_bytes"] = report.compiled_bytes;
  json["compile_ms"] = milliseconds(report.compile_time);
  json["load_before_ms"] = milliseconds(report.load_before);
  json["load_after_ms"] = milliseconds(report.load_after);
  json["validation"] = comparison_json(report.validation);
  json["compatibility"] = report.compatibility;
  json["notes"] = json_of(report.notes);
  print(json);
}

Result<CompileReport> compile_with_progress(const Parsed& parsed, CompileOptions options) {
  auto values = read_inputs(parsed);
  if (!values) return fail(std::move(values).error());
  for (const NamedValue& value : *values) options.inputs.emplace_back(value.name, value.value);
  auto runtime = runtime_from(parsed);
  if (!runtime) return fail(std::move(runtime).error());
  options.session.runtime = std::move(*runtime);
  Progress progress(parsed.has("quiet"));
  options.on_step = [&progress](CompileStep step) { progress.at(to_string(step)); };
  return compile(parsed.positionals().front(), parsed.value("output"), parsed.value("for"), options);
}

/// What guards a session that picks a provider; here one is named, and its numbers are always compared.
Result<void> refuse_guards(const Parsed& parsed) {
  for (const std::string_view flag : {"min-placement", "verify"})
    if (parsed.has(flag))
      return fail(
          {.code = ErrorCode::InvalidArgument,
           .what = fmt::format("`--{}` means nothing here: what is compiled is for the provider of `--for`, "
                               "and is always compared with the source",
                               flag),
           .hint = "drop it"});
  return {};
}

Result<Exit> compile_model(const Parsed& parsed) {
  if (auto meant = refuse_guards(parsed); !meant) return fail(std::move(meant).error());
  if (!parsed.has("output")) return missing("output", "name the file to write: `-o OUT`");
  if (!parsed.has("for"))
    return missing("for", "name the provider to compile for: `--for cpu`; `surefoot providers` lists them");
  auto options = options_from(parsed);
  if (!options) return fail(std::move(options).error());
  auto report = compile_with_progress(parsed, std::move(*options));
  if (!report) return fail(std::move(report).error());
  if (!parsed.has("quiet")) say(events_text(report->notes));
  parsed.has("json") ? print_json(*report) : print_text(*report);
  return Exit::Yes;
}

}  // namespace

const Command& compile_command() {
  static const Command kCommand{
      .name = "compile",
      .summary = "compile a model for one provider, into a file that opens faster",
      .description =
          "What was compiled is opened again, run, and compared with the source before it gets its "
          "name; no other provider takes the place of the one that is named, and no file that exists "
          "is replaced. The file is for this ONNX Runtime, provider and hardware.",
      .positional = "MODEL",
      .positional_help = "the model's file",
      .flags = {kCompileFlags, session_flags(), model_flags(), runtime_flags(), kJson},
      .examples = {"surefoot compile model.onnx -o model.cpu.onnx --for cpu",
                   "surefoot compile model.onnx -o model.ov.onnx --for openvino -i image=cat.png"},
      .run = compile_model};
  return kCommand;
}

}  // namespace surefoot::cli
