#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "onnx/external_data.hpp"
#include "onnx/model_file.hpp"

namespace surefoot::onnx {
namespace {

namespace fs = std::filesystem;

/// A weight's place; paths that mean the same file are spelled the same.
struct Range {
  std::string file;
  const ExternalData* data;

  std::uint64_t begin() const { return data->offset; }
  std::uint64_t end() const {
    return data->bytes > UINT64_MAX - begin() ? UINT64_MAX : begin() + data->bytes;
  }
};

std::vector<Range> sorted_ranges(const ModelInfo& info) {
  std::vector<Range> ranges;
  for (const ExternalData& data : info.external_data)
    if (data.bytes > 0) ranges.push_back({fs::path(data.location).lexically_normal().string(), &data});
  std::ranges::stable_sort(ranges, {}, [](const Range& range) {
    return std::tuple(std::string_view(range.file), range.begin(), range.end());
  });
  return ranges;
}

std::string text_of(const Range& range) {
  return fmt::format("`{}` (bytes {} to {})", range.data->tensor, range.begin(), range.end());
}

Failure invalid(const fs::path& model, std::string what) {
  return fail({.code = ErrorCode::InvalidModel,
               .what = fmt::format("{} {}", quoted(model), what),
               .hint = "export or download the model again"});
}

}  // namespace

Result<void> check_data_ranges(const ModelInfo& info, const fs::path& model_path) {
  const std::vector<Range> ranges = sorted_ranges(info);
  const Range* before = nullptr;
  for (const Range& range : ranges) {
    if (range.file == model_path.filename())
      return invalid(model_path, fmt::format("names itself as the file of weight `{}`", range.data->tensor));
    const bool same_file = before != nullptr && before->file == range.file;
    const bool tied = same_file && before->begin() == range.begin() && before->end() == range.end();
    if (same_file && !tied && range.begin() < before->end())
      return invalid(model_path, fmt::format("has weights that lie partly over each other in `{}`: {} and {}",
                                             range.data->location, text_of(*before), text_of(range)));
    if (!same_file || range.end() > before->end()) before = &range;
  }
  return {};
}

}  // namespace surefoot::onnx
