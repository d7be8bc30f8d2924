/// A model file as a tree that can be edited: what was not touched stays as it was stored, byte for byte.
///
/// A message is a list of parts, its fields in file order. A part is opened into the parts of its own
/// where something inside is to change; all others stay views of the file, unknown fields included.
#pragma once

#include <list>
#include <memory>
#include <unordered_map>

#include "onnx/pieces.hpp"
#include "onnx/wire.hpp"

namespace surefoot::onnx {

struct Part;
using Parts = std::list<Part>;  // a list, since others point at parts while some come and go

/// One field. Either stored (`whole` is set) or ours.
struct Part {
  std::uint32_t number = 0;
  Wire wire = Wire::length_delimited;
  std::string_view whole = {};                    ///< key, length and content as stored; empty: ours
  std::string_view content = {};                  ///< of a length-delimited one; of ours the bare value
  std::shared_ptr<const std::string> owner = {};  ///< what `content` views, where that is ours
  std::unique_ptr<Parts> parts = {};  ///< what is inside, once opened; then `content` is not looked at
  bool changed = false;               ///< a part was inserted or erased among `parts`

  template <class Field>
  bool is(Field field) const noexcept {
    return number == static_cast<std::uint32_t>(field) && wire == Wire::length_delimited;
  }
};

Part to_part(const RawField& field);
/// Reads a message's fields. Throws Corrupt.
Parts read_parts(Message message);

/// Opens `part` where it is not open yet, and gives what is inside. `name` stands in errors, whose
/// offsets are those of `source`, or of the part itself. Throws Corrupt.
Parts& open(Part& part, Source& source, std::string_view name);
Parts& open(Part& part, std::string_view name);

/// Calls `take(number, content)` with each length-delimited field inside, whether it is open or not.
template <class Take>
void each_chunk(const Part& part, Take take) {
  if (part.parts != nullptr) {
    for (const Part& field : *part.parts)
      if (field.wire == Wire::length_delimited && field.parts == nullptr) take(field.number, field.content);
    return;
  }
  Source source(std::as_bytes(std::span(part.content)));
  Message message(source, part.content, "message");
  while (message.next()) {
    const RawField field = message.raw();
    if (field.wire == Wire::length_delimited) take(field.number, field.content);
  }
}

/// A length-delimited part of ours.
Part make_part(std::uint32_t number, std::string content);
template <class Field>
Part make_part(Field field, std::string content) {
  return make_part(static_cast<std::uint32_t>(field), std::move(content));
}

/// Gives `part` another content, which is ours; its field number stays.
void set_content(Part& part, std::string content);

/// Content that takes the place of a part's own while writing: large, so not kept in the tree.
using Replacements = std::unordered_map<const Part*, Pieces>;

/// A field's key and length as they are written.
std::string chunk_header(std::uint32_t number, std::uint64_t bytes);

/// The encoded message. `replacements` are used up. Views of what the parts and replacements view.
Pieces render(const Parts& parts, Replacements& replacements);
/// Appends one encoded field.
void render(const Part& part, Replacements& replacements, Pieces& out);

}  // namespace surefoot::onnx
