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
#include "model/lifecycle.hpp"
#include "onnx/model_tree.hpp"
#include "surefoot/model.hpp"

namespace surefoot::model {

using SharedTensor = std::shared_ptr<const Tensor>;

/// One weight. What it holds now: `set`, or else what the file holds.
struct Weight {
  onnx::TreeWeight at;
  SharedTensor set = {};      ///< null: as in the file
  std::uint64_t version = 0;  ///< of what was set: another number for each value; 0: as in the file
  bool inserted = false;      ///< the file has none of that name
  bool renamed = false;
  bool erased = false;  ///< its part is gone

  const onnx::StoredTensor& stored() const noexcept { return at.stored; }
  ElementType type() const noexcept { return set ? set->type() : at.stored.type; }
  const Shape& shape() const noexcept { return set ? set->shape() : at.stored.shape; }
  bool is_patched() const noexcept { return false; }
  /// Versions of all that makes up what the weight holds now; empty: as in the file.
  std::vector<std::uint64_t> versions() const {
    return version == 0 ? std::vector<std::uint64_t>() : std::vector{version};
  }

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
  /// Part of a file, and what keeps it mapped.
  struct Range {
    std::span<const std::byte> bytes;
    std::shared_ptr<const file::MappedFile> file;
  };
  /// Errors: InvalidModel (a path out of the model's folder, a range behind the file's end); those of
  /// opening the file.
  Result<Range> read(const ExternalData& data);

 private:
  std::filesystem::path model_;
  std::map<std::string, std::shared_ptr<const file::MappedFile>> files_;
};

struct State {
  State(std::filesystem::path from, file::MappedFile mapped)
      : path(std::move(from)),
        file(std::make_shared<const file::MappedFile>(std::move(mapped))),
        source(file->bytes(), file.get()),
        data_files(path) {}

  /// Errors: NotFound with the nearest name.
  Result<Weight*> find(std::string_view name);
  std::vector<std::string> weight_names() const;
  onnx::Part& graph() noexcept { return *tree.scopes.front().part; }

  std::filesystem::path path;
  std::shared_ptr<const file::MappedFile> file;  ///< shared by all that views it
  onnx::Source source;
  ModelInfo info;
  onnx::ModelTree tree;
  std::vector<Weight> weights;
  std::unordered_map<std::string, std::size_t> by_name;  ///< those that are not erased
  DataFiles data_files;
  std::uint64_t tree_version = 0;  ///< goes up with each edit of the tree; 0: it is that of the file
  void touch() noexcept { ++tree_version; }
  Lifecycle life;
};

/// The elements of `weight` as they are now. The result keeps the file, or the tensor, that it views.
Result<WeightData> data_of(State& state, const Weight& weight);

}  // namespace surefoot::model
