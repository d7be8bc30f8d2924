#include "session/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "error/suggest.hpp"
#include "ort/environment.hpp"
#include "ort/log.hpp"
#include "provider/catalogue.hpp"
#include "provider/plugins.hpp"
#include "session/config_keys.hpp"
#include "session/cpu_budget.hpp"

namespace surefoot::session {
namespace {

using DimensionMap = std::map<std::string, std::int64_t>;

void collect(const ValueType& type, std::string Dimension::*field, std::set<std::string>& names) {
  if (type.shape)
    for (const Dimension& axis : *type.shape)
      if (!(axis.*field).empty()) names.insert(axis.*field);
  for (const ValueType& inner : type.inner) collect(inner, field, names);
}

std::vector<std::string> names_in(const ModelInfo& model, std::string Dimension::*field) {
  std::set<std::string> names;
  // ORT fixes dimensions of inputs only; those of outputs follow.
  for (const ValueInfo& info : model.inputs) collect(info.type, field, names);
  return {names.begin(), names.end()};
}

Result<void> check_dimensions(const DimensionMap& given, const std::vector<std::string>& known,
                              std::string_view word) {
  for (const auto& [name, size] : given) {
    if (size < 0)
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("{} `{}` is set to {}, a size is wanted", word, name, size)});
    if (std::ranges::find(known, name) == known.end())
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("the model has no {} `{}`", word, name),
                   .hint = suggestion(name, known)});
  }
  return {};
}

Result<void> check_threads(const ThreadOptions& threads) {
  for (const auto& [name, count] :
       {std::pair("intra_op", threads.intra_op), std::pair("inter_op", threads.inter_op)})
    if (count && (*count < 0 || *count > kMostThreads))
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("{} threads are set to {}", name, *count),
                   .hint = fmt::format("give 1 to {}, or 0 for ONNX Runtime's own choice", kMostThreads)});
  const bool has_own = threads.intra_op || threads.inter_op || threads.spinning;
  if (threads.shared && has_own)
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = "threads are to be shared, and a number or spinning is set for this session too",
                 .hint = "set these where the runtime is loaded: `shared_threads`"});
  return {};
}

/// ORT counts the machine's cores; a container or a mask may allow fewer, and setting the number keeps
/// ORT from pinning threads to CPUs that are not ours.
int default_threads() {
  const CpuBudget budget = cpu_budget();
  return budget.is_limited() ? budget.threads() : 0;
}

ort::Append append_of(const std::string& name, const Plan& plan, const ort::Environment& environment) {
  const ProviderOptions& options = plan.options(name);
  const provider::ProviderSpec* row = provider::find(name);
  // A plugin is asked for by the name that its devices report, which the row knows as ORT's.
  const std::string ort_name(row == nullptr ? std::string_view(name) : row->ort_name);
  const bool plugin = row == nullptr || provider::is_offered_by_plugin(environment, ort_name);
  return {.method = plugin ? ort::AppendMethod::Plugin : row->append,
          .name = plugin ? ort_name : std::string(row->append_name),
          .options = {options.begin(), options.end()}};
}

void apply_row(const provider::ProviderSpec& row, ort::SessionSettings& settings) {
  if (row.forced.memory_pattern_off) settings.memory_pattern = false;
  if (row.forced.sequential) settings.parallel = false;
}

void add_providers(const Plan& plan, const Candidate& candidate, const ort::Environment& environment,
                   ort::SessionSettings& settings) {
  const std::string_view host = provider::host().name;
  for (const std::string& name : candidate.providers) {
    if (name == host) continue;
    settings.providers.push_back(append_of(name, plan, environment));
    if (const provider::ProviderSpec* row = provider::find(name)) apply_row(*row, settings);
  }
  if (candidate.providers.back() != host) settings.entries["session.disable_cpu_ep_fallback"] = "1";
  // For the CPU too: on 39 real models of 9 to 283 nodes opening took no measurable time more.
  if (environment.api().version() >= 24) settings.entries["session.record_ep_graph_assignment_info"] = "1";
}

/// ORT opens what it is to write when the session is made, and says nothing, or a number, when it cannot.
Result<void> check_folder(const std::filesystem::path& file, std::string_view what) {
  const std::filesystem::path folder = file.parent_path();
  std::error_code problem;
  if (folder.empty() || std::filesystem::is_directory(folder, problem)) return {};
  return fail({.code = ErrorCode::NotFound,
               .what = fmt::format("the folder `{}` of the {} does not exist", folder.string(), what),
               .hint = "make it first"});
}

Result<void> check_part(double least) {
  if (least >= 0 && least <= 1) return {};
  return fail({.code = ErrorCode::InvalidArgument,
               .what = fmt::format("the least part of the nodes is set to {}", least),
               .hint = "give a part from 0 to 1: 0.9 for nine nodes in ten"});
}

std::vector<ort::SuppliedWeight> supplied(const SessionOptions& options) {
  std::vector<ort::SuppliedWeight> weights;
  for (const SuppliedWeight& weight : options.weights) weights.push_back({weight.name, weight.value});
  return weights;
}

}  // namespace

Result<void> check_options(const SessionOptions& options, const ModelInfo& model) {
  auto checked = check_keys(KeyScope::Session, options.config);
  if (checked) checked = check_threads(options.threads);
  if (checked) checked = check_part(options.min_placement);
  if (checked) checked = check_folder(options.profile_prefix, "profile prefix");
  if (checked) checked = check_folder(options.optimized_model, "optimized model");
  // Only our own reader sees the names; a model in ORT's format is left to ORT.
  if (!checked || model.format != ModelFormat::Onnx) return checked;
  checked = check_dimensions(options.dimensions, names_in(model, &Dimension::name), "free dimension");
  if (checked)
    checked = check_dimensions(options.dimensions_by_denotation, names_in(model, &Dimension::denotation),
                               "denotation");
  return checked;
}

ort::SessionSettings settings_for(const SessionOptions& options, const Plan& plan, const Candidate& candidate,
                                  const Runtime& runtime) {
  ort::SessionSettings settings{
      .intra_op_threads = options.threads.intra_op ? *options.threads.intra_op : default_threads(),
      .inter_op_threads = options.threads.inter_op   ? *options.threads.inter_op
                          : options.threads.parallel ? default_threads()
                                                     : 0,
      .parallel = options.threads.parallel,
      .optimization = options.optimization.value_or(OptimizationLevel::All),
      .log = std::min(options.log_level.value_or(ort::log_level()), LogLevel::Warning),
      .memory_pattern = options.memory_pattern,
      .cpu_arena = options.cpu_arena,
      .shared_arena = options.shared_arena,
      .shared_threads = options.threads.shared,
      .profile_prefix = options.profile_prefix,
      .optimized_model = options.optimized_model,
      .dimensions_by_name = options.dimensions,
      .dimensions_by_denotation = options.dimensions_by_denotation,
      .custom_op_libraries = options.custom_op_libraries,
      .entries = plain_entries(options.config),
      .weights = supplied(options)};
  if (options.threads.spinning)
    for (const char* pool : {"session.intra_op.allow_spinning", "session.inter_op.allow_spinning"})
      settings.entries.try_emplace(pool, *options.threads.spinning ? "1" : "0");
  if (!options.external_data_folder.empty())
    settings.entries["session.model_external_initializers_file_folder_path"] =
        options.external_data_folder.string();
  add_providers(plan, candidate, runtime.environment(), settings);
  return settings;
}

}  // namespace surefoot::session
