#include "onnx/sniff.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "onnx/file_kinds.hpp"
#include "onnx/onnx_proto.hpp"
#include "onnx/wire.hpp"

namespace surefoot::onnx {
namespace {

constexpr std::string_view kOrtIdentifier = "ORTM";  // flatbuffer file identifier
constexpr std::size_t kOrtIdentifierOffset = 4;

/// The labels of ModelProto's fields; a model begins with any of them, normally with the first.
constexpr std::uint32_t kModelKeys[] = {
    varint(ModelField::IrVersion), chunk(ModelField::ProducerName),  chunk(ModelField::ProducerVersion),
    chunk(ModelField::Domain),     varint(ModelField::ModelVersion), chunk(ModelField::DocString),
    chunk(ModelField::Graph),      chunk(ModelField::OpsetImport),   chunk(ModelField::MetadataProps),
    chunk(ModelField::Functions),
};

bool begins_as_onnx(std::string_view all) {
  const char* place = all.data();
  try {
    const std::uint64_t key = protozero::decode_varint(&place, all.data() + all.size());
    return std::find(std::begin(kModelKeys), std::end(kModelKeys), key) != std::end(kModelKeys);
  } catch (const protozero::exception&) {
    return false;
  }
}

/// ModelProto as every ONNX library writes it: the IR version, which is small and not zero, first.
bool begins_with_ir_version(std::string_view all) {
  constexpr char kHighestIrVersion = 0x7f;
  return all.size() > 2 && all[0] == varint(ModelField::IrVersion) && all[1] > 0 &&
         all[1] <= kHighestIrVersion;
}

std::string first_bytes(std::string_view all) {
  std::string text;
  for (const char byte : all.substr(0, 8))
    text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(byte));
  return text;
}

}  // namespace

Result<ModelFormat> sniff(std::span<const std::byte> bytes, std::string_view subject) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (all.substr(std::min(kOrtIdentifierOffset, all.size())).starts_with(kOrtIdentifier))
    return ModelFormat::OrtFormat;
  if (begins_with_ir_version(all)) return ModelFormat::Onnx;
  if (auto other = other_kind(all))
    return fail({.code = ErrorCode::InvalidModel,
                 .what = fmt::format("{} is {}", subject, other->what),
                 .hint = std::move(other->hint)});
  if (begins_as_onnx(all)) return ModelFormat::Onnx;
  return fail({.code = ErrorCode::InvalidModel,
               .what = fmt::format("{} is no ONNX model: its {} bytes begin with {}", subject, all.size(),
                                   first_bytes(all)),
               .hint = "give an .onnx or .ort file"});
}

}  // namespace surefoot::onnx
