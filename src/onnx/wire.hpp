/// Protobuf messages in memory, read field by field, with every length checked before it is used.
///
/// Wraps protozero, which trusts the caller to know the fields' wire types and narrows lengths to
/// 32 bits; here a damaged file ends in a Corrupt that says at which byte and why.
#pragma once

#include <cstdint>
#include <protozero/pbf_reader.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/model_file.hpp"

namespace surefoot::onnx {

/// Thrown by the readers of this folder and caught where they are entered (model_reader.cpp).
/// The text follows the file's name: "is damaged at byte 12 of 90: …".
struct Corrupt : std::runtime_error {
  explicit Corrupt(const std::string& text, std::string advice = "download or copy the file again")
      : std::runtime_error(text), hint(std::move(advice)) {}
  std::string hint;
};

/// The bytes that are read. Memory of a mapped file is given back behind the reader, so that
/// jumping through gigabytes keeps only a few megabytes in memory.
class Source {
 public:
  /// `file`, where not null, is what `bytes` are mapped from.
  explicit Source(std::span<const std::byte> bytes, const file::MappedFile* file = nullptr)
      : begin_(reinterpret_cast<const char*>(bytes.data())), size_(bytes.size()), file_(file) {}

  std::size_t size() const noexcept { return size_; }
  std::string_view all() const noexcept { return {begin_, size_}; }
  std::size_t offset_of(const char* place) const noexcept { return static_cast<std::size_t>(place - begin_); }
  void passed(std::size_t offset) noexcept;
  /// How many fields readers have moved to: reading a model twice doubles it.
  std::uint64_t fields() const noexcept { return fields_; }

 private:
  const char* begin_;
  std::size_t size_;
  const file::MappedFile* file_;
  std::size_t forgotten_ = 0;
  std::uint64_t fields_ = 0;
};

using Wire = protozero::pbf_wire_type;

/// One field as it is stored; views live as long as the source.
struct RawField {
  std::uint32_t number;
  Wire wire;
  std::string_view whole;         ///< key, length and content
  std::string_view content = {};  ///< of a length-delimited field
};

/// The labels of a `switch` over Message::key().
template <class Field>
constexpr std::uint32_t varint(Field field) {
  return protozero::tag_and_type(field, Wire::varint);
}
template <class Field>
constexpr std::uint32_t chunk(Field field) {
  return protozero::tag_and_type(field, Wire::length_delimited);
}
template <class Field>
constexpr std::uint32_t word(Field field) {
  return protozero::tag_and_type(field, Wire::fixed32);
}
template <class Field>
constexpr std::uint32_t double_word(Field field) {
  return protozero::tag_and_type(field, Wire::fixed64);
}

/// One message: `while (message.next()) switch (message.key()) { …; default: message.skip(); }`
/// After each next() exactly one of the other calls takes the field's value, one that fits its key.
/// A field of an unexpected wire type has an unexpected key, and so is skipped as unknown.
class Message {
 public:
  /// The outermost message; `source` outlives it.
  explicit Message(Source& source)
      : source_(&source), reader_(source.all().data(), source.size()), name_("model"), root_(true) {}
  /// A message inside `source`; `name` stands in errors.
  Message(Source& source, std::string_view content, std::string_view name)
      : source_(&source), reader_(content.data(), content.size()), name_(name) {}

  /// Moves to the next field. Throws Corrupt unless the whole of it lies inside this message.
  bool next();
  std::uint32_t key() const noexcept { return protozero::tag_and_type(reader_.tag(), reader_.wire_type()); }

  void skip() { reader_.skip(); }
  std::int64_t integer() { return reader_.get_int64(); }
  std::string_view text() {  ///< lives as long as the source
    const protozero::data_view view = reader_.get_view();
    return {view.data(), view.size()};
  }
  std::string string() { return std::string(text()); }
  std::uint32_t fixed32() { return reader_.get_fixed32(); }
  std::uint64_t fixed64() { return reader_.get_fixed64(); }
  RawField raw();
  Message message(std::string_view name) { return {*source_, text(), name}; }
  /// What is left to be read; all of a message that was not read yet.
  std::string_view content() const { return {reader_.data().data(), reader_.data().size()}; }
  /// Appends all integers of a packed field.
  void packed_integers(std::vector<std::int64_t>& out);

  /// "is damaged at byte … of …: `reason`", at the current field.
  [[noreturn]] void damaged(std::string_view reason) const;

 private:
  void check_field() const;
  void check_length(const char* end) const;
  [[noreturn]] void no_field() const;

  Source* source_;
  protozero::pbf_reader reader_;
  std::string_view name_;
  std::size_t field_offset_ = 0;
  bool root_ = false;
};

}  // namespace surefoot::onnx
