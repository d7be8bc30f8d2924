#include "ort/session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ort/log.hpp"
#include "ort/type_info.hpp"
#include "ort/value.hpp"
#include "tensor/inline_array.hpp"

namespace surefoot::ort {
namespace {

/// The values of one call: input and output handles, released at the end of it.
struct CallValues {
  CallValues(std::span<const Argument> arguments, std::span<const Target> targets)
      : inputs(arguments.size()),
        outputs(targets.size()),
        input_names(arguments.size()),
        output_names(targets.size()),
        raw_inputs(arguments.size()),
        raw_outputs(targets.size()) {}

  Result<void> wrap_all(const Environment& environment, std::span<const Argument> arguments,
                        std::span<const Target> targets);

  InlineArray<Handle<OrtValue>> inputs, outputs;
  InlineArray<const char*> input_names, output_names;
  InlineArray<const OrtValue*> raw_inputs;
  InlineArray<OrtValue*> raw_outputs;
};

Result<void> CallValues::wrap_all(const Environment& environment, std::span<const Argument> arguments,
                                  std::span<const Target> targets) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    input_names[i] = argument.name;
    raw_inputs[i] = argument.ready;
    if (argument.ready != nullptr) continue;
    auto value =
        argument.value != nullptr ? wrap(environment, *argument.value) : wrap(environment, argument.tensor);
    if (!value)
      return fail(std::move(value).error().while_doing(fmt::format("binding input `{}`", argument.name)));
    inputs[i] = std::move(*value);
    raw_inputs[i] = inputs[i].get();
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    output_names[i] = targets[i].name;
    if (targets[i].tensor.type == ElementType::Undefined) continue;
    auto value = wrap(environment, targets[i].tensor);
    if (!value)
      return fail(std::move(value).error().while_doing(fmt::format("binding output `{}`", targets[i].name)));
    outputs[i] = std::move(*value);
    raw_outputs[i] = outputs[i].get();
  }
  return {};
}

Result<Handle<OrtRunOptions>> make_run_options(const Api& api, const RunSettings& settings) {
  auto options = make<OrtRunOptions>(api, fn::CreateRunOptions);
  if (!options) return options;
  Result<void> done;
  if (!settings.tag.empty()) done = api.call(fn::RunOptionsSetRunTag, options->get(), settings.tag.c_str());
  for (const auto& [key, value] : settings.entries)
    if (done) done = api.call(fn::AddRunConfigEntry, options->get(), key.c_str(), value.c_str());
  if (!done) return fail(std::move(done).error());
  return options;
}

/// Runs with options of its own, whose terminate flag the stop token raises.
Result<void> run_with(const Api& api, OrtSession* session, CallValues& values, const RunSettings& settings) {
  auto options = make_run_options(api, settings);
  if (!options) return fail(std::move(options).error());
  OrtRunOptions* raw = options->get();
  const std::stop_callback on_stop(settings.stop,
                                   [&api, raw] { (void)api.call(fn::RunOptionsSetTerminate, raw); });
  return api.call(fn::Run, session, static_cast<const OrtRunOptions*>(raw), values.input_names.data(),
                  values.raw_inputs.data(), values.raw_inputs.size(), values.output_names.data(),
                  values.output_names.size(), values.raw_outputs.data());
}

Result<void> run_plain(const Api& api, OrtSession* session, CallValues& values) {
  return api.call(fn::Run, session, static_cast<const OrtRunOptions*>(nullptr), values.input_names.data(),
                  values.raw_inputs.data(), values.raw_inputs.size(), values.output_names.data(),
                  values.output_names.size(), values.raw_outputs.data());
}

/// A kernel that finds an index out of range answers "invalid argument" too; names, types and shapes have
/// been checked before, so that the failure is the model's on these values.
Error failure_of_run(Error error) {
  const bool as_if_misused = error.code == ErrorCode::InvalidArgument || error.code == ErrorCode::NotFound ||
                             error.code == ErrorCode::InvalidModel;
  if (as_if_misused) error.code = ErrorCode::RunFailed;
  return error;
}

/// Whether a value that ORT gave is an input passed through, which the caller may free before the output.
bool is_callers_memory(const Value& value, std::span<const Argument> arguments) {
  const Tensor* tensor = value.tensor();
  if (tensor == nullptr || tensor->bytes().empty()) return false;
  return std::ranges::any_of(arguments, [&](const Argument& argument) {
    return argument.tensor.bytes.data() == tensor->bytes().data();
  });
}

Result<void> run_values(const Environment& environment, OrtSession* session, CallValues& values,
                        std::span<const Argument> arguments, std::span<const Target> targets,
                        const RunSettings* settings) {
  const LogCapture log;
  if (auto wrapped = values.wrap_all(environment, arguments, targets); !wrapped) return wrapped;
  auto done = settings != nullptr ? run_with(environment.api(), session, values, *settings)
                                  : run_plain(environment.api(), session, values);
  if (done) return done;
  return fail(log.explain(failure_of_run(std::move(done).error())));
}

/// A text that ORT allocated; released here.
std::string take_text(const Environment& environment, char* text) {
  std::string copy = text == nullptr ? "" : text;
  if (text != nullptr)
    (void)environment.api().call(fn::AllocatorFree, environment.allocator(), static_cast<void*>(text));
  return copy;
}

/// The three functions that describe one side of a session.
struct Side {
  Function<OrtStatus*(const OrtSession*, std::size_t*)> count;
  Function<OrtStatus*(const OrtSession*, std::size_t, OrtAllocator*, char**)> name;
  Function<OrtStatus*(const OrtSession*, std::size_t, OrtTypeInfo**)> type;
};
constexpr Side kInputs{fn::SessionGetInputCount, fn::SessionGetInputName, fn::SessionGetInputTypeInfo};
constexpr Side kOutputs{fn::SessionGetOutputCount, fn::SessionGetOutputName, fn::SessionGetOutputTypeInfo};
constexpr Side kOverridable{fn::SessionGetOverridableInitializerCount,
                            fn::SessionGetOverridableInitializerName,
                            fn::SessionGetOverridableInitializerTypeInfo};

Result<void> read_side(const Environment& environment, const OrtSession* session, const Side& side,
                       bool required, std::vector<ValueInfo>& into) {
  const Api& api = environment.api();
  std::size_t count = 0;
  auto got = api.call(side.count, session, &count);
  for (std::size_t i = 0; got && i < count; ++i) {
    char* name = nullptr;
    got = api.call(side.name, session, i, environment.allocator(), &name);
    if (!got) break;
    ValueInfo info{.name = take_text(environment, name), .type = {}, .required = required};
    auto raw = make<OrtTypeInfo>(api, side.type, session, i);
    if (!raw) return fail(std::move(raw).error());
    auto type = value_type(api, raw->get());
    if (!type) return fail(std::move(type).error());
    info.type = std::move(*type);
    into.push_back(std::move(info));
  }
  return got;
}

}  // namespace

Session::Session(Environment& environment, Handle<OrtSession> handle)
    : environment_(environment), live_(environment), handle_(std::move(handle)) {}

Result<std::shared_ptr<const Session>> Session::open(Environment& environment,
                                                     const std::filesystem::path& path,
                                                     std::span<const std::byte> bytes,
                                                     const Handle<OrtSessionOptions>& options) {
  const LogCapture log;
  const auto* plain_options = static_cast<const OrtSessionOptions*>(options.get());
  const auto* env = static_cast<const OrtEnv*>(environment.handle());
  auto handle =
      path.empty() ? make<OrtSession>(environment.api(), fn::CreateSessionFromArray, env,
                                      static_cast<const void*>(bytes.data()), bytes.size(), plain_options)
                   : make<OrtSession>(environment.api(), fn::CreateSession, env, path.c_str(), plain_options);
  if (!handle) return fail(log.explain(std::move(handle).error()));
  std::shared_ptr<Session> session(new Session(environment, std::move(*handle)));
  session->warnings_ = log.lines();
  if (auto read = session->read_interface(); !read) return fail(std::move(read).error());
  return std::shared_ptr<const Session>(std::move(session));
}

Result<void> Session::read_interface() {
  auto read = read_side(environment_, handle_.get(), kInputs, true, inputs_);
  if (read) read = read_side(environment_, handle_.get(), kOverridable, false, inputs_);
  if (read) read = read_side(environment_, handle_.get(), kOutputs, true, outputs_);
  for (ValueInfo& input : inputs_) input.required = input.required && !input.type.optional;
  return read;
}

Result<std::vector<Value>> Session::run(std::span<const Argument> arguments, std::span<const Target> targets,
                                        const RunSettings* settings) const {
  CallValues values(arguments, targets);
  auto done = run_values(environment_, handle_.get(), values, arguments, targets, settings);
  if (!done) return fail(std::move(done).error());
  std::vector<Value> results(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (values.outputs[i] != nullptr) continue;
    Handle<OrtValue> made(values.raw_outputs[i], Release<OrtValue>{&environment_.api()});
    if (made == nullptr) continue;
    auto value = targets[i].plain ? unwrap_plain(environment_, std::move(made))
                                  : unwrap(environment_, std::move(made));
    if (value && is_callers_memory(*value, arguments)) value = value->clone();
    if (!value)
      return fail(std::move(value).error().while_doing(fmt::format("reading output `{}`", targets[i].name)));
    results[i] = std::move(*value);
  }
  return results;
}

Result<void> Session::run_into(std::span<const Argument> arguments, std::span<const Target> targets,
                               const RunSettings* settings) const {
  CallValues values(arguments, targets);
  return run_values(environment_, handle_.get(), values, arguments, targets, settings);
}

Result<Handle<OrtValue>> Session::constant() const {
  const char* const name = outputs_.front().name.c_str();
  const OrtRunOptions* const no_options = nullptr;
  const char* const* const no_names = nullptr;
  const OrtValue* const* const no_inputs = nullptr;
  OrtValue* made = nullptr;
  auto done = environment_.api().call(fn::Run, handle_.get(), no_options, no_names, no_inputs, std::size_t{0},
                                      &name, std::size_t{1}, &made);
  if (!done) return fail(std::move(done).error());
  return Handle<OrtValue>(made, Release<OrtValue>{&environment_.api()});
}

Result<std::vector<Assignment>> Session::assignments() const {
  const Api& api = environment_.api();
  const OrtEpAssignedSubgraph* const* subgraphs = nullptr;
  std::size_t count = 0;
  auto got = api.call(fn::Session_GetEpGraphAssignmentInfo, static_cast<const OrtSession*>(handle_.get()),
                      &subgraphs, &count);
  std::vector<Assignment> found;
  for (std::size_t i = 0; got && i < count; ++i) {
    const char* provider = "";
    const OrtEpAssignedNode* const* nodes = nullptr;
    std::size_t node_count = 0;
    got = api.call(fn::EpAssignedSubgraph_GetEpName, subgraphs[i], &provider);
    if (got) got = api.call(fn::EpAssignedSubgraph_GetNodes, subgraphs[i], &nodes, &node_count);
    Assignment assignment{.provider = provider, .nodes = {}};
    for (std::size_t n = 0; got && n < node_count; ++n) {
      const char *name = "", *domain = "", *op = "";
      got = api.call(fn::EpAssignedNode_GetName, nodes[n], &name);
      if (got) got = api.call(fn::EpAssignedNode_GetDomain, nodes[n], &domain);
      if (got) got = api.call(fn::EpAssignedNode_GetOperatorType, nodes[n], &op);
      assignment.nodes.emplace_back(name, *domain == '\0' ? op : fmt::format("{}:{}", domain, op));
    }
    found.push_back(std::move(assignment));
  }
  if (!got) return fail(std::move(got).error());
  return found;
}

Result<void> Session::fill(ModelInfo& info) const {
  const Api& api = environment_.api();
  auto metadata =
      make<OrtModelMetadata>(api, fn::SessionGetModelMetadata, static_cast<const OrtSession*>(handle_.get()));
  if (!metadata) return fail(std::move(metadata).error());
  const auto* raw = static_cast<const OrtModelMetadata*>(metadata->get());
  const auto read = [&](const auto& function, std::string& into) {
    char* text = nullptr;
    if (api.call(function, raw, environment_.allocator(), &text)) into = take_text(environment_, text);
  };
  read(fn::ModelMetadataGetProducerName, info.producer_name);
  read(fn::ModelMetadataGetGraphName, info.graph_name);
  read(fn::ModelMetadataGetDomain, info.domain);
  read(fn::ModelMetadataGetDescription, info.doc_string);
  (void)api.call(fn::ModelMetadataGetVersion, raw, &info.model_version);
  char** keys = nullptr;
  std::int64_t count = 0;
  if (!api.call(fn::ModelMetadataGetCustomMetadataMapKeys, raw, environment_.allocator(), &keys, &count))
    return {};
  for (std::int64_t i = 0; i < count; ++i) {
    char* value = nullptr;
    (void)api.call(fn::ModelMetadataLookupCustomMetadataMap, raw, environment_.allocator(),
                   static_cast<const char*>(keys[i]), &value);
    info.metadata[take_text(environment_, keys[i])] = take_text(environment_, value);
  }
  if (keys != nullptr) (void)api.call(fn::AllocatorFree, environment_.allocator(), static_cast<void*>(keys));
  return {};
}

Result<std::string> Session::end_profiling() const {
  char* file = nullptr;
  auto done =
      environment_.api().call(fn::SessionEndProfiling, handle_.get(), environment_.allocator(), &file);
  if (!done) return fail(std::move(done).error());
  return take_text(environment_, file);
}

}  // namespace surefoot::ort
