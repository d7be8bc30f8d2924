#include "onnx/model_file.hpp"
#include "onnx/model_reader.hpp"
#include "onnx/sniff.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot {
namespace {

Result<ModelInfo> inspect(std::span<const std::byte> bytes, const file::MappedFile* mapped,
                          std::string_view subject) {
  auto format = onnx::sniff(bytes, subject);
  if (!format) return fail(std::move(format).error());
  if (*format == ModelFormat::OrtFormat)
    return ModelInfo{.format = ModelFormat::OrtFormat, .file_bytes = bytes.size()};
  onnx::Source source(bytes, mapped);
  return onnx::read_model(source, subject);
}

}  // namespace

Result<ModelInfo> onnx::inspect_file(const file::MappedFile& file, const std::filesystem::path& path) {
  return inspect(file.bytes(), &file, quoted(path));
}

Result<ModelInfo> inspect(const std::filesystem::path& path) {
  auto file = onnx::open_model_file(path);
  if (!file) return fail(std::move(file).error());
  return onnx::inspect_file(*file, path);
}

Result<ModelInfo> inspect(std::span<const std::byte> model) {
  return inspect(model, nullptr, "the model given as bytes");
}

}  // namespace surefoot
