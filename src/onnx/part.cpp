#include "onnx/part.hpp"

#include <iterator>
#include <protozero/varint.hpp>

namespace surefoot::onnx {
namespace {

std::string varint_bytes(std::uint64_t value) {
  std::string bytes;
  protozero::write_varint(std::back_inserter(bytes), value);
  return bytes;
}

/// Whether anything in the part differs from what is stored.
bool is_touched(const Part& part, const Replacements& replacements) {
  if (part.whole.empty() || part.changed || replacements.contains(&part)) return true;
  if (part.parts == nullptr) return false;
  for (const Part& inner : *part.parts)
    if (is_touched(inner, replacements)) return true;
  return false;
}

Pieces content_of(const Part& part, Replacements& replacements) {
  if (const auto at = replacements.find(&part); at != replacements.end()) return std::move(at->second);
  if (part.parts != nullptr) return render(*part.parts, replacements);
  Pieces pieces;
  pieces.borrow(part.content);
  return pieces;
}

}  // namespace

Part to_part(const RawField& field) {
  return {.number = field.number, .wire = field.wire, .whole = field.whole, .content = field.content};
}

Parts read_parts(Message message) {
  Parts parts;
  while (message.next()) parts.push_back(to_part(message.raw()));
  return parts;
}

Parts& open(Part& part, Source& source, std::string_view name) {
  if (part.parts == nullptr)
    part.parts = std::make_unique<Parts>(read_parts(Message(source, part.content, name)));
  return *part.parts;
}

Parts& open(Part& part, std::string_view name) {
  Source own(std::as_bytes(std::span(part.content)));
  return open(part, own, name);
}

Part make_part(std::uint32_t number, std::string content) {
  Part part{.number = number};
  set_content(part, std::move(content));
  return part;
}

void set_content(Part& part, std::string content) {
  part.owner = std::make_shared<const std::string>(std::move(content));
  part.content = *part.owner;
  part.whole = {};
  part.parts = nullptr;
}

std::string chunk_header(std::uint32_t number, std::uint64_t bytes) {
  return varint_bytes(protozero::tag_and_type(number, Wire::length_delimited)) + varint_bytes(bytes);
}

void render(const Part& part, Replacements& replacements, Pieces& out) {
  if (!is_touched(part, replacements)) return out.borrow(part.whole);
  Pieces content = content_of(part, replacements);
  if (part.wire == Wire::length_delimited)
    out.keep(chunk_header(part.number, content.size()));
  else
    out.keep(varint_bytes(protozero::tag_and_type(part.number, part.wire)));
  out.append(std::move(content));
}

Pieces render(const Parts& parts, Replacements& replacements) {
  Pieces out;
  for (const Part& part : parts) render(part, replacements, out);
  return out;
}

}  // namespace surefoot::onnx
