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

#include "file/identity.hpp"
#include "file/mapped_file.hpp"
#include "model/lifecycle.hpp"
#include "onnx/model_tree.hpp"
#include "surefoot/model.hpp"
#include "surefoot/patch.hpp"

namespace surefoot::model {

using SharedTensor = std::shared_ptr<const Tensor>;

/// One patch's part in a weight.
using LayerChange = std::variant<Tensor, LowRankDelta>;
struct Layer {
  std::uint64_t patch;
  std::shared_ptr<const LayerChange> change;
};

/// One weight. What it holds now: `patched`, or else `set`, or else what the file holds.
struct Weight {
  onnx::TreeWeight at;
  SharedTensor set = {};           ///< null: as in the file
  std::uint64_t version = 0;       ///< of what was set: another number for each value; 0: as in the file
  std::vector<Layer> layers = {};  ///< the patches in force, oldest first
  SharedTensor patched = {};       ///< what they make of it; null without any
  bool inserted = false;           ///< the file has none of that name
  bool erased = false;             ///< its part is gone
  std::unique_ptr<onnx::Part> sparse_part = {};  ///< the part of a sparse one that was put aside

  const onnx::StoredTensor& stored() const noexcept { return at.stored; }
  ElementType type() const noexcept { return set ? set->type() : at.stored.type; }
  const Shape& shape() const noexcept { return set ? set->shape() : at.stored.shape; }
  bool is_patched() const noexcept { return !layers.empty(); }
  /// What takes the place of the file's elements; null where nothing does.
  const SharedTensor& value() const noexcept { return patched ? patched : set; }
  /// Versions of all that makes up what the weight holds now; empty: as in the file.
  std::vector<std::uint64_t> versions() const;

  void put(SharedTensor value_now);
  void take_back();
  /// Its part is gone from the tree.
  void erase();
  void show(std::vector<Layer> layers_now, SharedTensor value_now);
  /// A sparse one stands in the tree as a dense one while its values are those of every place.
  void settle_part();
};

/// The files that hold external data, mapped when they are first read.
class DataFiles {
 public:
  explicit DataFiles(std::filesystem::path model) : model_(std::move(model)) {}

  /// Where a location that the model states lies.
  std::filesystem::path path_of(std::string_view location) const;
  /// Notes which files these are now, without opening any.
  void note(const std::vector<ExternalData>& all);
  /// Of the file behind a location when it was noted; empty where there was none.
  std::optional<file::Identity> identity(const std::string& location) const;
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
  std::map<std::string, std::optional<file::Identity>> identities_;
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
  /// Takes over the weights that were found in the tree since.
  void take_weights();
  onnx::Part& graph() noexcept { return *tree.scopes.front().part; }

  std::filesystem::path path;
  std::shared_ptr<const file::MappedFile> file;  ///< shared by all that views it
  std::optional<file::Identity> identity = {};   ///< of `file`; empty where it changed while it was opened
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

/// Computes what the patches in force make of the weight, after it was set. Errors: those of reading it.
Result<void> recompute(State& state, Weight& weight);

}  // namespace surefoot::model
