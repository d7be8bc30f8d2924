#include "onnx/tensor_rewriter.hpp"

#include "onnx/part_writer.hpp"

namespace surefoot::onnx {
namespace {

/// What a field of TensorProto is about, as far as a change can touch it.
enum class Kind { Other, Dims, Type, Elements };

Kind kind_of(std::uint32_t number) {
  switch (static_cast<TensorField>(number)) {
    case TensorField::Dims:
      return Kind::Dims;
    case TensorField::DataType:
      return Kind::Type;
    case TensorField::FloatData:
    case TensorField::Int32Data:
    case TensorField::StringData:
    case TensorField::Int64Data:
    case TensorField::RawData:
    case TensorField::DoubleData:
    case TensorField::Uint64Data:
    case TensorField::ExternalData:
    case TensorField::DataLocation:
      return Kind::Elements;
    default:
      return Kind::Other;
  }
}

void write_external(Pieces& out, const ExternalPlace& place) {
  constexpr std::int32_t kExternal = 1;  // TensorProto.DataLocation
  std::string bytes;
  Builder<TensorField> fields(bytes);
  const std::pair<std::string_view, std::string> entries[] = {{"location", place.location},
                                                              {"offset", std::to_string(place.offset)},
                                                              {"length", std::to_string(place.bytes)}};
  for (const auto& [key, value] : entries) {
    Builder<EntryField> entry(fields, TensorField::ExternalData);
    write_entry(entry, key, value);
  }
  fields.add_int32(TensorField::DataLocation, kExternal);
  out.keep(std::move(bytes));
}

/// Writes each changed kind once, at the first place where it stood, or at the end.
class Rewriter {
 public:
  Rewriter(const TensorChange& change, Pieces& out) : change_(change), out_(out) {}

  bool replaces(Kind kind) const {
    switch (kind) {
      case Kind::Dims:
      case Kind::Type:
        return change_.value.has_value();
      case Kind::Elements:
        return change_.value || change_.external;
      case Kind::Other:
        break;
    }
    return false;
  }

  void write(Kind kind) {
    bool& written = written_[static_cast<std::size_t>(kind)];
    if (written || !replaces(kind)) return;
    written = true;
    if (kind == Kind::Elements) return write_elements();
    std::string bytes;
    Builder<TensorField> fields(bytes);
    if (kind == Kind::Dims)
      for (const std::int64_t size : change_.value->shape) fields.add_int64(TensorField::Dims, size);
    if (kind == Kind::Type)
      fields.add_int32(TensorField::DataType, static_cast<std::int32_t>(change_.value->type));
    out_.keep(std::move(bytes));
  }

 private:
  void write_elements() {
    if (change_.external) return write_external(out_, *change_.external);
    const TensorView& value = *change_.value;
    if (value.type == ElementType::String) {
      std::string bytes;
      Builder<TensorField> fields(bytes);
      for (const std::string& text : value.strings) fields.add_bytes(TensorField::StringData, text);
      return out_.keep(std::move(bytes));
    }
    out_.keep(chunk_header(static_cast<std::uint32_t>(TensorField::RawData), value.bytes.size()));
    out_.borrow({reinterpret_cast<const char*>(value.bytes.data()), value.bytes.size()});
  }

  const TensorChange& change_;
  Pieces& out_;
  bool written_[4] = {};
};

}  // namespace

Pieces rewrite_tensor(Part& tensor, const TensorChange& change) {
  Pieces out;
  Rewriter rewriter(change, out);
  Replacements none;
  for (const Part& field : open(tensor, "tensor")) {
    const Kind kind = kind_of(field.number);
    if (rewriter.replaces(kind))
      rewriter.write(kind);
    else
      render(field, none, out);
  }
  for (const Kind kind : {Kind::Dims, Kind::Type, Kind::Elements}) rewriter.write(kind);
  return out;
}

Part make_tensor_part(std::string_view name, const TensorView& value) {
  std::string bytes;
  Builder<TensorField> fields(bytes);
  write_tensor_header(fields, name, value.type, value.shape);
  return make_part(GraphField::Initializer, std::move(bytes));
}

}  // namespace surefoot::onnx
