/// What a model file says about itself, read from the file alone: no ONNX Runtime is needed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "surefoot/element_type.hpp"
#include "surefoot/result.hpp"
#include "surefoot/value.hpp"

namespace surefoot {

/// One axis of a declared shape: a fixed size, a symbolic name, or neither (unknown).
struct Dimension {
  std::int64_t size = -1;       ///< -1 where it is free
  std::string name = {};        ///< symbolic name of a free axis, or empty
  std::string denotation = {};  ///< ONNX denotation such as "DATA_BATCH", or empty

  bool is_fixed() const noexcept { return size >= 0; }
  bool operator==(const Dimension&) const = default;
};

/// The declared type of an input or output.
struct ValueType {
  ValueKind kind = ValueKind::Tensor;
  ElementType element = ElementType::Undefined;  ///< of a tensor; the key's of a map
  /// Axes of a tensor; empty optional when even the rank is not stated.
  std::optional<std::vector<Dimension>> shape = {};
  std::vector<ValueType> inner = {};  ///< one: item of a sequence, value of a map
  bool optional = false;              ///< ONNX `optional(T)`: None is a legal value
  bool sparse = false;                ///< sparse tensor

  bool operator==(const ValueType&) const = default;
};

/// "float32[1,3,height,?]", "int64" (a scalar), "float32[...]" (no rank stated), "seq(float32[?])",
/// "map(int64,float32)", "sparse(…)", "optional(…)"; "unknown" where no type is stated.
std::string to_string(const ValueType& type);

/// A larger default is told by its size alone, as is what goes beyond 4 MiB in all: inspecting stays cheap.
inline constexpr std::uint64_t kMostDefaultBytes = 4096;

/// A named input or output.
struct ValueInfo {
  std::string name;
  ValueType type;
  bool required = true;  ///< false: an overridable initializer or an optional type; may be left out
  /// What an overridable initializer holds when the input is left out. Null: there is none, it takes more
  /// than kMostDefaultBytes, lies in another file, is sparse, or its elements do not fit its shape.
  std::shared_ptr<const Tensor> default_value = {};
  std::uint64_t default_bytes = 0;  ///< what the default takes, shown or not; 0 without one
};

struct OpsetImport {
  std::string domain;  ///< empty for the default domain, "ai.onnx"
  std::int64_t version = 0;
};

/// How often one operator occurs, subgraphs and local functions included.
struct OpCount {
  std::string domain;
  std::string op;
  std::uint64_t count = 0;
  bool defined_here = false;  ///< by a function that the model itself brings
};

/// A weight kept outside the model file.
struct ExternalData {
  std::string tensor;
  std::string location;  ///< as the file states it, relative to the model's folder
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  ///< as stated, or from type and shape where it is not
};

/// A node that holds a provider's compiled form of part of the model.
struct EpContext {
  std::string provider;  ///< attribute `source`: ORT's name of the provider that wrote it
  std::string sdk_version;
  bool embedded = true;
  std::string file = {};  ///< the blob's file, relative to the model's folder, when not embedded
};

enum class ModelFormat { Onnx, OrtFormat };

/// "onnx", "ort".
std::string_view to_string(ModelFormat format) noexcept;

struct ModelInfo {
  ModelFormat format = ModelFormat::Onnx;
  std::int64_t ir_version = 0;
  std::string producer_name, producer_version, domain, graph_name, doc_string;
  std::int64_t model_version = 0;
  std::vector<OpsetImport> opsets;
  std::map<std::string, std::string> metadata;
  std::vector<ValueInfo> inputs;  ///< overridable initializers last, marked as not required
  std::vector<ValueInfo> outputs;
  std::vector<OpCount> ops;  ///< by count, most frequent first
  std::uint64_t node_count = 0;
  std::uint64_t initializer_count = 0;
  std::uint64_t initializer_bytes = 0;  ///< external ones included
  std::vector<ExternalData> external_data;
  std::vector<EpContext> ep_contexts;
  std::uint64_t file_bytes = 0;
};

/// Reads the file at `path`; payloads of weights are skipped, not read, so that a file of
/// gigabytes costs milliseconds. Opened exactly as given: links are followed by the system, and
/// external data is looked for beside the link.
/// For ORT-format files only `format` and `file_bytes` are filled.
/// Errors: NotFound; InvalidModel, which says what the file is instead (a Git LFS pointer, an
/// HTML page, an archive, an empty or truncated file, a folder) and what to do; IoFailed.
Result<ModelInfo> inspect(const std::filesystem::path& path);

/// The same for a model in memory.
Result<ModelInfo> inspect(std::span<const std::byte> model);

/// Where a model's external data may lie.
enum class ExternalPlaces {
  ModelFolder,  ///< no path that the model states may lead out of its folder
  Anywhere,     ///< absolute paths and `..` too: for models that are trusted with every readable file
};

/// Checks that every external file, those of EPContext nodes included, exists beside `model_path`,
/// in an allowed place and long enough. A link in the folder may lead out of it, as in a download
/// cache that keeps the content elsewhere; whether ORT follows it depends on its version.
/// Errors: InvalidModel that lists each missing or short file, and near it any file whose size is
/// exactly right; a path that leaves the folder is refused unless `places` allows it.
Result<void> check_external_data(const ModelInfo& info, const std::filesystem::path& model_path,
                                 ExternalPlaces places = ExternalPlaces::ModelFolder);

}  // namespace surefoot
