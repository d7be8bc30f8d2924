#include "ort/session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ort/log.hpp"
#include "ort/type_info.hpp"
#include "ort/value.hpp"
#include "tensor/inline_array.hpp"

namespace surefoot::ort {
namespace {

/// The values of one call, as ORT wants them: names beside handles.
///
/// Owned here: every input but the ready ones, and every output; the outputs that ORT makes can be taken.
class CallValues {
 public:
  CallValues(const Environment& environment, std::span<const Argument> arguments,
             std::span<const Target> targets)
      : environment_(environment),
        arguments_(arguments),
        targets_(targets),
        input_names_(arguments.size()),
        output_names_(targets.size()),
        inputs_(arguments.size()),
        outputs_(targets.size()) {}
  ~CallValues();
  CallValues(const CallValues&) = delete;
  CallValues& operator=(const CallValues&) = delete;

  Result<void> wrap_all();
  Result<void> run(OrtSession* session, const OrtRunOptions* options);
  /// An output that ORT made, once; null for one in the caller's memory, and for one that is absent.
  Handle<OrtValue> take_made(std::size_t i) {
    const bool made = targets_[i].tensor.type == ElementType::Undefined;
    return {made ? std::exchange(outputs_[i], nullptr) : nullptr, Release<OrtValue>{&environment_.api()}};
  }

 private:
  const Environment& environment_;
  std::span<const Argument> arguments_;
  std::span<const Target> targets_;
  InlineArray<const char*> input_names_, output_names_;
  InlineArray<const OrtValue*> inputs_;
  InlineArray<OrtValue*> outputs_;
};

CallValues::~CallValues() {
  const auto release = environment_.api().get(fn::ReleaseValue);
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (inputs_[i] != arguments_[i].ready) release(const_cast<OrtValue*>(inputs_[i]));
  for (OrtValue* output : outputs_)
    if (output != nullptr) release(output);
}

Result<void> CallValues::wrap_all() {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Argument& argument = arguments_[i];
    input_names_[i] = argument.name;
    inputs_[i] = argument.ready;
    if (argument.ready != nullptr) continue;
    auto value =
        argument.value != nullptr ? wrap(environment_, *argument.value) : wrap(environment_, argument.tensor);
    if (!value)
      return fail(std::move(value).error().while_doing(fmt::format("binding input `{}`", argument.name)));
    inputs_[i] = value->release();
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    output_names_[i] = targets_[i].name;
    if (targets_[i].tensor.type == ElementType::Undefined) continue;
    auto value = wrap(environment_, targets_[i].tensor);
    if (!value)
      return fail(std::move(value).error().while_doing(fmt::format("binding output `{}`", targets_[i].name)));
    outputs_[i] = value->release();
  }
  return {};
}

Result<void> CallValues::run(OrtSession* session, const OrtRunOptions* options) {
  return environment_.api().call(fn::Run, session, options, input_names_.data(), inputs_.data(),
                                 inputs_.size(), output_names_.data(), outputs_.size(), outputs_.data());
}

/// Runs with options of its own, whose terminate flag the stop token raises.
Result<void> run_with(const Api& api, OrtSession* session, CallValues& values, const RunSettings& settings) {
  auto options = RunOptions::make(api, settings);
  if (!options) return fail(std::move(options).error());
  const std::stop_callback on_stop(settings.stop, [&] { options->terminate(); });
  return values.run(session, options->raw());
}

/// Whether a tensor that ORT gave is an input passed through, which the caller may free before the output.
bool is_callers_memory(const Tensor& tensor, std::span<const Argument> arguments) {
  return !tensor.bytes().empty() && std::ranges::any_of(arguments, [&](const Argument& argument) {
    return argument.tensor.bytes.data() == tensor.bytes().data();
  });
}

Result<void> own(Tensor& tensor, std::span<const Argument> arguments) {
  if (!is_callers_memory(tensor, arguments)) return {};
  auto copied = tensor.clone();
  if (!copied) return fail(std::move(copied).error());
  tensor = std::move(*copied);
  return {};
}

Result<void> read_tensor(const Environment& environment, Handle<OrtValue> made,
                         std::span<const Argument> arguments, std::vector<Value>& into) {
  Tensor tensor;
  auto read = unwrap_tensor(environment, std::move(made), tensor);
  if (read) read = own(tensor, arguments);
  if (read) into.emplace_back(std::move(tensor));
  return read;
}

Result<void> read_value(const Environment& environment, Handle<OrtValue> made,
                        std::span<const Argument> arguments, std::vector<Value>& into) {
  auto value = unwrap(environment, std::move(made));
  if (!value) return fail(std::move(value).error());
  Result<void> read;
  if (value->tensor() != nullptr) read = own(*value->tensor(), arguments);
  if (read) into.push_back(std::move(*value));
  return read;
}

RunSettings without_graph(RunSettings settings) {
  settings.entries.try_emplace(kGraphId, kNoGraph);
  return settings;
}

/// `plain` are the options of a run without settings, which captures no graph; null where none is captured.
Result<void> run_values(const Api& api, OrtSession* session, CallValues& values, const RunSettings* settings,
                        const OrtRunOptions* plain) {
  const LogCapture log;
  if (auto wrapped = values.wrap_all(); !wrapped) return wrapped;
  auto done = settings == nullptr ? values.run(session, plain)
              : plain == nullptr  ? run_with(api, session, values, *settings)
                                  : run_with(api, session, values, without_graph(*settings));
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

Error failure_of_run(Error error) {
  const bool as_if_misused = error.code == ErrorCode::InvalidArgument || error.code == ErrorCode::NotFound ||
                             error.code == ErrorCode::InvalidModel;
  if (as_if_misused) error.code = ErrorCode::RunFailed;
  return error;
}

Session::Session(Environment& environment, Handle<OrtSession> handle)
    : environment_(environment), live_(environment), handle_(std::move(handle)) {}

Result<std::shared_ptr<Session>> Session::make(Environment& environment, const std::filesystem::path& path,
                                               std::span<const std::byte> bytes,
                                               const Handle<OrtSessionOptions>& options) {
  const LogCapture log;
  const auto* plain_options = static_cast<const OrtSessionOptions*>(options.get());
  const auto* env = static_cast<const OrtEnv*>(environment.handle());
  auto handle =
      path.empty()
          ? ort::make<OrtSession>(environment.api(), fn::CreateSessionFromArray, env,
                                  static_cast<const void*>(bytes.data()), bytes.size(), plain_options)
          : ort::make<OrtSession>(environment.api(), fn::CreateSession, env, path.c_str(), plain_options);
  if (!handle) return fail(log.explain(std::move(handle).error()));
  std::shared_ptr<Session> session(new Session(environment, std::move(*handle)));
  session->warnings_ = log.lines();
  if (auto read = session->read_interface(); !read) return fail(std::move(read).error());
  return session;
}

Result<std::shared_ptr<const Session>> Session::open(Environment& environment,
                                                     const std::filesystem::path& path,
                                                     std::span<const std::byte> bytes,
                                                     const Handle<OrtSessionOptions>& options) {
  auto made = make(environment, path, bytes, options);
  if (!made) return fail(std::move(made).error());
  return std::shared_ptr<const Session>(std::move(*made));
}

Result<std::shared_ptr<const Session>> Session::open_capturing(Environment& environment,
                                                               const std::filesystem::path& path,
                                                               std::span<const std::byte> bytes,
                                                               const Handle<OrtSessionOptions>& options) {
  auto plain = RunOptions::make(environment.api(), {.entries = {{kGraphId, kNoGraph}}});
  if (!plain) return fail(std::move(plain).error());
  auto made = make(environment, path, bytes, options);
  if (!made) return fail(std::move(made).error());
  (*made)->without_graph_ = std::move(*plain);
  return std::shared_ptr<const Session>(std::move(*made));
}

Result<void> Session::read_interface() {
  auto read = read_side(environment_, handle_.get(), kInputs, true, inputs_);
  if (read) read = read_side(environment_, handle_.get(), kOutputs, true, outputs_);
  read_places();
  if (read) read = read_side(environment_, handle_.get(), kOverridable, false, inputs_);
  for (ValueInfo& input : inputs_) input.required = input.required && !input.type.optional;
  return read;
}

bool Session::knows_ranks() const noexcept { return environment_.api().has(fn::TensorTypeAndShape_HasShape); }

void Session::read_places() {
  const Api& api = environment_.api();
  const auto read = [&](const auto& function, std::vector<const OrtMemoryInfo*>& places, std::size_t count) {
    if (!api.has(function)) return;
    places.resize(count);
    const auto* const session = static_cast<const OrtSession*>(handle_.get());
    if (!api.call(function, session, places.data(), places.size())) places.clear();
  };
  read(fn::SessionGetMemoryInfoForInputs, input_places_, inputs_.size());
  read(fn::SessionGetMemoryInfoForOutputs, output_places_, outputs_.size());
}

Place Session::place(const OrtMemoryInfo* memory) const noexcept {
  OrtMemoryInfoDeviceType device = OrtMemoryInfoDeviceType_CPU;
  environment_.api().get(fn::MemoryInfoGetDeviceType)(memory, &device);
  if (device == OrtMemoryInfoDeviceType_CPU) return {.on_host = true};
  return {.device = memory};
}

Place Session::place_of_input(std::string_view name) const noexcept {
  for (std::size_t i = 0; i < input_places_.size(); ++i)
    if (inputs_[i].name == name) return place(input_places_[i]);
  return {};
}

Place Session::place_of_output(std::string_view name) const noexcept {
  for (std::size_t i = 0; i < output_places_.size(); ++i)
    if (outputs_[i].name == name) return place(output_places_[i]);
  return {};
}

Result<void> Session::release_graph(int id) const {
  return environment_.api().call(fn::SessionReleaseCapturedGraph, handle_.get(), id);
}

Result<std::vector<Value>> Session::run(std::span<const Argument> arguments, std::span<const Target> targets,
                                        const RunSettings* settings) const {
  CallValues values(environment_, arguments, targets);
  auto done = run_values(environment_.api(), handle_.get(), values, settings, plain_options());
  if (!done) return fail(std::move(done).error());
  std::vector<Value> results;
  results.reserve(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto made = values.take_made(i);
    if (made == nullptr) {
      results.emplace_back();
      continue;
    }
    auto read = targets[i].plain ? read_tensor(environment_, std::move(made), arguments, results)
                                 : read_value(environment_, std::move(made), arguments, results);
    if (!read)
      return fail(std::move(read).error().while_doing(fmt::format("reading output `{}`", targets[i].name)));
  }
  return results;
}

Result<void> Session::run_into(std::span<const Argument> arguments, std::span<const Target> targets,
                               const RunSettings* settings) const {
  CallValues values(environment_, arguments, targets);
  return run_values(environment_.api(), handle_.get(), values, settings, plain_options());
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
  auto metadata = ort::make<OrtModelMetadata>(api, fn::SessionGetModelMetadata,
                                              static_cast<const OrtSession*>(handle_.get()));
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
