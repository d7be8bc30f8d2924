#include "onnx/wire.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace surefoot::onnx {
namespace {

constexpr std::size_t kKeptBehindBytes = std::size_t{4} << 20;
constexpr std::uint64_t kLongestField = UINT32_MAX;  // protozero's limit; protobuf's own is half of it
constexpr std::uint32_t kHighestModelField = 26;     // ModelProto's, in IR 14

}  // namespace

void Source::passed(std::size_t offset) noexcept {
  ++fields_;
  if (file_ == nullptr || offset < forgotten_ + kKeptBehindBytes) return;
  file_->forget(forgotten_, offset);
  forgotten_ = offset;
}

bool Message::next() {
  field_offset_ = source_->offset_of(reader_.data().data());
  source_->passed(field_offset_);
  try {
    if (!reader_.next()) return false;
    check_field();
  } catch (const protozero::exception&) {
    no_field();
  }
  return true;
}

void Message::check_field() const {
  const char* place = reader_.data().data();
  const char* end = place + reader_.length();
  switch (reader_.wire_type()) {
    case Wire::length_delimited:
      return check_length(end);
    case Wire::varint:
      protozero::decode_varint(&place, end);
      return;
    default:
      protozero::pbf_reader(reader_).skip();
  }
}

void Message::check_length(const char* end) const {
  const char* place = reader_.data().data();
  const std::uint64_t wanted = protozero::decode_varint(&place, end);
  const auto left = static_cast<std::uint64_t>(end - place);
  if (wanted <= std::min(left, kLongestField)) return;
  const std::uint64_t starts = source_->offset_of(place);
  if (root_ && reader_.tag() <= kHighestModelField && wanted <= kLongestField)
    throw Corrupt(
        fmt::format("ends at byte {} of {}: the file was cut short (field {}, at byte {}, wants {} bytes)",
                    source_->size(), starts + wanted, reader_.tag(), field_offset_, wanted));
  damaged(fmt::format("field {} of the {} wants {} bytes, {} are left", reader_.tag(), name_, wanted, left));
}

void Message::no_field() const {
  const std::string_view all = source_->all();
  if (root_ && field_offset_ + protozero::max_varint_length >= all.size())
    throw Corrupt(
        fmt::format("ends at byte {} in the middle of a field: the file was cut short", all.size()));
  const bool zeros = field_offset_ < all.size() && all[field_offset_] == 0;
  damaged(fmt::format("{} of the {} starts there",
                      zeros ? "a zero byte, as in a download that never arrived, and no field" : "no field",
                      name_));
}

void Message::damaged(std::string_view reason) const {
  throw Corrupt(fmt::format("is damaged at byte {} of {}: {}", field_offset_, source_->size(), reason));
}

RawField Message::raw() {
  RawField field{.number = reader_.tag(), .wire = reader_.wire_type(), .whole = {}};
  const char* const begin = source_->all().data() + field_offset_;
  if (field.wire == Wire::length_delimited)
    field.content = text();
  else
    reader_.skip();
  field.whole = {begin, static_cast<std::size_t>(reader_.data().data() - begin)};
  return field;
}

void Message::packed_integers(std::vector<std::int64_t>& out) {
  const protozero::pbf_tag_type field = reader_.tag();
  try {
    for (const std::int64_t value : reader_.get_packed_int64()) out.push_back(value);
  } catch (const protozero::exception&) {
    damaged(fmt::format("the integers of field {} of the {} end too early", field, name_));
  }
}

}  // namespace surefoot::onnx
