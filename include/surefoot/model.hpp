/// A model that is open for editing: its weights, its interface, and files written from it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/model_info.hpp"
#include "surefoot/model_interface.hpp"
#include "surefoot/nodes.hpp"
#include "surefoot/patch.hpp"
#include "surefoot/session.hpp"
#include "surefoot/weights.hpp"

namespace surefoot {

struct ModelOptions {
  /// Refuse a model whose external data is missing, short or overlaps. Without it such a model opens, and
  /// reading a weight that is not there is the error.
  bool check_external_data = true;
  /// Make a session on first use: infer() and session() then need no create_session() before, and in the
  /// child of a fork() they make one anew.
  bool auto_create = false;
  /// What sessions are made with unless create_session() is given others.
  SessionOptions session = {};
  /// Leave engine_builders() out where the options name no providers: an image tool edits a model again and
  /// again, and each of them would build its engine anew each time.
  bool exclude_engine_builders = true;
  /// Of a copy of a model that had a session: how it was copied ("pickling"). Whoever wants a session before
  /// one was created is told that it did not come along.
  std::string copied_by = {};
};

/// Which of a repository's files from_pretrained() opens.
struct PretrainedOptions {
  std::filesystem::path subfolder = {};
  std::filesystem::path file_name = "model.onnx";
  std::string revision = "main";  ///< a branch, a tag or a commit of a hub repository
  /// The hub's folder of downloads; empty: HF_HUB_CACHE, HF_HOME/hub, or ~/.cache/huggingface/hub.
  std::filesystem::path cache_folder = {};
};

/// The file that from_pretrained() opens. Offline: nothing is downloaded.
/// Errors: NotFound with the path tried, and the .onnx files near it or the hub's own command to get the
/// model; InvalidArgument for paths that lead out of the folder.
Result<std::filesystem::path> find_pretrained(const std::string& id_or_folder,
                                              const PretrainedOptions& options = {});

/// What became of a model's session.
struct ModelEvent {
  enum class Kind { Created, Replaced, Released, Failed } kind;
  std::string reason;  ///< "`batch` is 2, was 1", "2 weights differ", "release_session() was called"
  std::optional<Error> error = {};  ///< of Failed
  std::chrono::microseconds elapsed = {};
};

/// "created", "replaced", "released", "failed".
std::string_view to_string(ModelEvent::Kind kind) noexcept;

/// Where save() puts weights.
enum class WeightPlacement {
  Keep,      ///< each where it was: in the model's file, or beside it
  Inside,    ///< all in the model's file
  External,  ///< those from a size on in files beside the model, all others inside
};

struct SaveOptions {
  WeightPlacement placement = WeightPlacement::Keep;
  std::uint64_t external_from_bytes = 1024;  ///< the smallest weight that goes outside, of External
  /// One file `NAME.data` beside the model, or a folder `NAME.weights` with a file a weight.
  bool one_file = true;
};

struct Difference;  // surefoot/model_diff.hpp

/// An ONNX file, mapped and indexed: weights are looked at where they lie, and nothing is read that is not
/// asked for, so that opening gigabytes takes milliseconds and megabytes. Edits live in memory; the file
/// is never written to. What is not edited keeps its bytes, unknown fields and the order of fields included.
///
/// Session   create_session() makes one of the model as it is now. A model that was not edited is opened from
///           its file; otherwise ONNX Runtime gets the graph without payloads, edited weights where they
///           lie in memory, and those of 1 KiB or more that its files hold from there: nothing is serialised,
///           and no limit of 2 GiB applies.
///
/// Lifetime  handles (weights(), nodes(), interface(), session()) share in the model. The files must not be
/// shortened meanwhile; replacing
///           them, also by save(), is harmless.
/// Threads   one at a time.
class Model {
 public:
  /// Errors: those of inspect() and, unless the options say otherwise, of check_external_data();
  /// InvalidModel for weights that lie partly over each other in a file; Unsupported for ORT's own format.
  static Result<Model> open(const std::filesystem::path& path, ModelOptions options = {});

  /// Opens a model of a local folder, or else one that the Hugging Face hub's client has downloaded:
  /// `org/name`. Errors: those of find_pretrained() and open().
  static Result<Model> from_pretrained(const std::string& id_or_folder, const PretrainedOptions& options = {},
                                       ModelOptions model_options = {});

  Weights weights() const { return Weights(state_); }
  Nodes nodes() const { return Nodes(state_); }
  ModelInterface interface() const { return ModelInterface(state_); }

  /// Changes weights until the patch is released: all that are named, or none of them. What is saved, and
  /// what create_session() takes, is what the weights then hold.
  /// Errors: NotFound with the nearest name; InvalidArgument with the shapes; those of reading weights.
  Result<Patch> patch(std::vector<WeightPatch> patches);

  const std::filesystem::path& path() const noexcept;
  /// What the file says of itself, as it was opened.
  const ModelInfo& info() const noexcept;
  /// Whether anything differs from the file.
  bool is_edited() const noexcept;

  /// The type of a value of the main graph as ONNX Runtime infers it, on the CPU and without running
  /// anything; for ModelInterface::add_output() where the file states none. The runtime is that of the
  /// model's session options. Errors: NotFound with the nearest name; those of Session::open().
  Result<ValueType> infer_type(std::string_view value) const;

  /// Writes the model as it is now, with the data files that it needs beside it. Each file appears under
  /// its name only when it is complete, data before the model; the model's own path may be given.
  /// A model that was not edited comes out byte for byte as it went in, external data included.
  /// Errors: IoFailed; Unsupported when the file would have 2 GiB or more, with the remedy; those of
  /// reading weights that have to move.
  Result<void> save(const std::filesystem::path& path, const SaveOptions& options = {}) const;

  /// Makes a session of the model as it is now, with the options of the last call, or of ModelOptions at
  /// first. Where one is there: nothing happens when neither the model nor anything asked for differs, else
  /// the new one takes its place, and an event says why. The old one stays when the new one cannot be made.
  /// Errors: those of Session::open(). A failure is kept and shown by whoever needs the session later.
  Result<void> create_session();
  /// The same with these options, which hold from here on. `dimensions` are sizes of free dimensions by
  /// name, added to those of the options.
  Result<void> create_session(SessionOptions options,
                              const std::map<std::string, std::int64_t>& dimensions = {});
  /// The same for other sizes of free dimensions, by name; everything else as before.
  Result<void> create_session(const std::map<std::string, std::int64_t>& dimensions);
  /// Gives the session's memory back, as soon as no copy of the session is left. Twice is fine.
  void release_session();
  bool has_session() const noexcept;

  /// The session; it is not replaced when the model is edited: create_session() does that.
  /// Errors: InvalidState, `session_not_created`: none was made, it was released, it did not come along
  /// through fork(), or why making it failed. With `auto_create` one is made instead.
  Result<Session> session() const;
  /// Runs on the session. Errors: as session() and Session::infer().
  Result<Outputs> infer(std::span<const Input> inputs, const RunOptions& options = {}) const;
  Result<Outputs> infer(std::initializer_list<Input> inputs, const RunOptions& options = {}) const {
    return infer(std::span(inputs.begin(), inputs.size()), options);
  }
  /// Binds inputs and outputs once. Errors: as session() and Session::prepare().
  Result<PreparedRun> prepare(PrepareOptions options) const;
  /// What the session gave up, in order; empty without one.
  std::vector<FallbackEvent> events() const;
  /// What became of the model's sessions, in order.
  const std::vector<ModelEvent>& session_events() const noexcept;

 private:
  friend Result<std::vector<Difference>> differences(const Model& from, const Model& to);
  explicit Model(std::shared_ptr<model::State> state) : state_(std::move(state)) {}
  std::shared_ptr<model::State> state_;
};

}  // namespace surefoot
