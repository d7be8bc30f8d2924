/// What a model holds while it is edited; all handles on it share one.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "file/mapped_file.hpp"
#include "onnx/model_tree.hpp"
#include "surefoot/model.hpp"

namespace surefoot::model {

using SharedTensor = std::shared_ptr<const Tensor>;

/// One weight. What it holds now: `set`, or else what the file holds.
struct Weight {
  onnx::TreeWeight at;
  SharedTensor set = {};  ///< null: as in the file
  bool inserted = false;  ///< the file has none of that name
  bool renamed = false;
  bool erased = false;  ///< its part is gone

  const onnx::StoredTensor& stored() const noexcept { return at.stored; }
  ElementType type() const noexcept { return set ? set->type() : at.stored.type; }
  const Shape& shape() const noexcept { return set ? set->shape() : at.stored.shape; }
  bool is_patched() const noexcept { return false; }

  /// A sparse one becomes a dense one in the tree, since its values are now those of every place.
  void put(SharedTensor value);
  void take_back();

  std::unique_ptr<onnx::Part> sparse_part = {};  ///< the part of a sparse one that was put aside
};

/// The files that hold external data, mapped when they are first read.
class DataFiles {
 public:
  explicit DataFiles(std::filesystem::path model) : model_(std::move(model)) {}

  /// Where a location that the model states lies.
  std::filesystem::path path_of(std::string_view location) const;
  /// Errors: InvalidModel (a path out of the model's folder, the model's own file, a range behind the
  /// file's end); those of opening the file.
  Result<std::span<const std::byte>> read(const ExternalData& data);

 private:
  std::filesystem::path model_;
  std::map<std::string, file::MappedFile> files_;
};

struct State {
  State(std::filesystem::path from, file::MappedFile mapped)
      : path(std::move(from)), file(std::move(mapped)), source(file.bytes(), &file), data_files(path) {}

  /// Errors: NotFound with the nearest name.
  Result<Weight*> find(std::string_view name);
  std::vector<std::string> weight_names() const;
  onnx::Part& graph() noexcept { return *tree.scopes.front().part; }

  std::filesystem::path path;
  file::MappedFile file;
  onnx::Source source;
  ModelInfo info;
  onnx::ModelTree tree;
  std::vector<Weight> weights;
  std::unordered_map<std::string, std::size_t> by_name;  ///< those that are not erased
  DataFiles data_files;
  bool edited = false;  ///< the tree differs from the file; values that were set count on their own
};

/// The elements of `weight` as they are now; `state` keeps what is mapped.
Result<WeightData> data_of(const std::shared_ptr<State>& state, const Weight& weight);

/// The same where `state` is known to outlive the result.
Result<WeightData> data_of(State& state, const Weight& weight);

}  // namespace surefoot::model
