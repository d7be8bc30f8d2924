/// A model's weights as a mapping from names to tensors, read from the mapped file and edited in memory.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/tensor.hpp"

namespace surefoot {

namespace model {
struct State;
}

/// Where the elements of a weight are now.
enum class WeightStorage {
  Raw,       ///< in the model's file, as they are used
  Typed,     ///< in the model's file, number by number, or as text
  External,  ///< in a file beside the model
  Sparse,    ///< in the model's file, only those that are not zero
  Edited,    ///< in memory: set here, or patched
};

/// "raw", "typed", "external", "sparse", "edited".
std::string_view to_string(WeightStorage storage) noexcept;

/// All about a weight but its elements.
struct WeightInfo {
  std::string name;
  ElementType type = ElementType::Undefined;
  Shape shape;
  std::uint64_t bytes = 0;  ///< what the elements take; of text, without any overhead
  WeightStorage storage = WeightStorage::Raw;
  std::string location = {};  ///< of an external one: the file, relative to the model's folder
  std::uint64_t offset = 0;   ///< of an external one: where in that file
};

/// The elements of a weight. Shares in what it views: the mapped file, or an edited tensor.
class WeightData {
 public:
  /// Of elements that lie in the file the bytes may have any alignment: copy them, or use as().
  TensorView view() const noexcept { return {type_, shape_, bytes_, strings_}; }
  /// Whether view() looks into a mapped file.
  bool is_mapped() const noexcept { return mapped_; }
  /// The elements as `T`, copied only where their alignment in the file is not that of `T`.
  /// Errors: InvalidArgument (another type), OutOfMemory.
  template <Element T>
  Result<std::span<const T>> as();
  /// A deep copy. Errors: OutOfMemory.
  Result<Tensor> clone() const;

  /// For the library's own use: elements in memory that `owner` keeps.
  WeightData(const TensorView& view, std::shared_ptr<const void> owner, bool mapped)
      : type_(view.type),
        shape_(view.shape.begin(), view.shape.end()),
        bytes_(view.bytes),
        strings_(view.strings),
        owner_(std::move(owner)),
        mapped_(mapped) {}

 private:
  Result<void> align(std::size_t alignment);

  ElementType type_;
  Shape shape_;
  std::span<const std::byte> bytes_;
  std::span<const std::string> strings_;
  std::shared_ptr<const void> owner_;
  bool mapped_;
};

/// What the numbers of a weight are like.
struct WeightStatistics {
  std::uint64_t count = 0;
  double least = 0, most = 0;  ///< NaN where there is no number
  double mean = 0;             ///< of the finite ones; NaN where there is none
  std::uint64_t nan_count = 0, infinite_count = 0;
};

/// Errors: Unsupported for text and complex numbers; InvalidArgument for bytes that do not fit the shape.
Result<WeightStatistics> statistics(const TensorView& tensor);

struct HalfOptions {
  /// Smaller weights stay as they are: they save nothing, and operators read scales and limits from them.
  std::uint64_t from_bytes = 1024;
};

/// What to_float16() did.
struct HalfReport {
  struct Kept {
    std::string name;
    std::string reason;  ///< one clause, with the values
  };
  std::vector<std::string> converted;
  std::vector<Kept> kept;           ///< float32 weights that are large enough, and stay float32
  std::uint64_t bytes_saved = 0;    ///< in the file, or files
  std::uint64_t flushed_count = 0;  ///< elements other than zero that became zero
  double largest_error = 0;         ///< the largest difference of an element to what it was
};

/// The weights of one model; a light handle that shares in the model.
///
/// Names     A weight of the main graph goes by its own name; one inside a subgraph has its path before
///           it: `NODE>ATTRIBUTE>name`. A name that is not there is NotFound with the nearest one.
/// Order     that of the file; inserted ones last.
/// Threads   one at a time, for all handles on one model.
class Weights {
 public:
  explicit Weights(std::shared_ptr<model::State> state) : state_(std::move(state)) {}

  bool contains(std::string_view name) const;
  std::size_t size() const;
  std::vector<std::string> names() const;
  std::vector<WeightInfo> items() const;
  Result<WeightInfo> info(std::string_view name) const;

  /// The elements as they are now: a view of the mapped file where they lie there as they are used, else
  /// a tensor decoded from it (typed and sparse ones), or the one that was set or patched.
  /// Errors: NotFound; InvalidModel where the file's elements do not fit its own shape; IoFailed.
  Result<WeightData> get(std::string_view name) const;

  /// Another value of the same type and shape. The file is not touched. Patches in force apply to it too.
  /// Errors: NotFound; InvalidArgument with what is wanted and what came.
  Result<void> set(std::string_view name, Tensor value);
  /// A value of any type and shape. Where the weight is an input's default too, the declared type of that
  /// input follows. Errors: NotFound; InvalidArgument (Undefined), or while it is patched: InvalidState.
  Result<void> replace(std::string_view name, Tensor value);
  /// A new weight in the main graph. Errors: InvalidArgument: the name is taken.
  Result<void> insert(std::string_view name, Tensor value);
  /// Back to what the file holds. Errors: NotFound; InvalidState for one that was inserted.
  Result<void> reset(std::string_view name);

  /// Takes a weight out that no node reads and that is no output.
  /// Errors: NotFound; InvalidArgument naming the node that reads it; InvalidState while it is patched.
  Result<void> erase(std::string_view name);
  /// Stores float32 weights, those of subgraphs too, as float16 under their names, each element rounded to
  /// the nearest. A Cast in front of the nodes gives what reads a weight its float32, so that every other
  /// type in the model stays; the files halve, and ONNX Runtime computes as before. A weight stays float32,
  /// and the report says why, where an element would become infinite (beyond 65504), and where it is itself
  /// an input or output, sparse, or patched. Errors: Unsupported without a Cast between the two (ONNX's own
  /// opset below 6, or none); those of reading weights. Nothing is changed then.
  Result<HalfReport> to_float16(const HalfOptions& options = {});

  /// Another name, everywhere: nodes, subgraphs, inputs and outputs that refer to it follow.
  /// `to` has no path: the weight stays in its graph. Errors: NotFound; InvalidArgument: the name is taken;
  /// InvalidState while it is patched.
  Result<void> rename(std::string_view from, std::string_view to);

 private:
  std::shared_ptr<model::State> state_;
};

template <Element T>
Result<std::span<const T>> WeightData::as() {
  if constexpr (!std::is_same_v<T, std::string>)
    if (auto aligned = align(alignof(T)); !aligned) return fail(std::move(aligned).error());
  return view().template as<T>();
}

}  // namespace surefoot
