/// A model that is open for editing: its weights, its interface, and files written from it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "surefoot/model_info.hpp"
#include "surefoot/model_interface.hpp"
#include "surefoot/weights.hpp"

namespace surefoot {

struct ModelOptions {
  /// Refuse a model whose external data is missing, short or overlaps. Without it such a model opens, and
  /// reading a weight that is not there is the error.
  bool check_external_data = true;
};

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

/// An ONNX file, mapped and indexed: weights are looked at where they lie, and nothing is read that is not
/// asked for, so that opening gigabytes takes milliseconds and megabytes. Edits live in memory; the file
/// is never written to. What is not edited keeps its bytes, unknown fields and the order of fields included.
///
/// Lifetime  handles (weights()) share in the model. The files must not be shortened meanwhile; replacing
///           them, also by save(), is harmless.
/// Threads   one at a time.
class Model {
 public:
  /// Errors: those of inspect() and, unless the options say otherwise, of check_external_data();
  /// InvalidModel for weights that lie partly over each other in a file; Unsupported for ORT's own format.
  static Result<Model> open(const std::filesystem::path& path, ModelOptions options = {});

  Weights weights() const { return Weights(state_); }
  ModelInterface interface() const { return ModelInterface(state_); }

  const std::filesystem::path& path() const noexcept;
  /// What the file says of itself, as it was opened.
  const ModelInfo& info() const noexcept;
  /// Whether anything differs from the file.
  bool is_edited() const noexcept;

  /// Writes the model as it is now, with the data files that it needs beside it. Each file appears under
  /// its name only when it is complete, data before the model; the model's own path may be given.
  /// A model that was not edited comes out byte for byte as it went in, external data included.
  /// Errors: IoFailed; Unsupported when the file would have 2 GiB or more, with the remedy; those of
  /// reading weights that have to move.
  Result<void> save(const std::filesystem::path& path, const SaveOptions& options = {}) const;

 private:
  explicit Model(std::shared_ptr<model::State> state) : state_(std::move(state)) {}
  std::shared_ptr<model::State> state_;
};

}  // namespace surefoot
