#include "apps/cli/input/jpeg_tables.hpp"

namespace surefoot::cli {
namespace {

/// Reads as the decoder does: beyond the end there are zeros.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  bool at_end() const { return at_ >= bytes_.size(); }
  unsigned next() { return at_end() ? 0 : std::to_integer<unsigned>(bytes_[at_++]); }
  unsigned next_two() {
    const unsigned high = next();
    return high << 8 | next();
  }
  void skip(std::size_t count) { at_ = count < bytes_.size() - at_ ? at_ + count : bytes_.size(); }
  std::size_t position() const { return at_; }
  void seek(std::size_t position) { at_ = position < bytes_.size() ? position : bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

/// The code behind the next run of FF bytes; 0 at the end.
unsigned next_marker(Reader& reader) {
  while (!reader.at_end() && reader.next() != 0xff) {
  }
  unsigned code = 0xff;
  while (code == 0xff && !reader.at_end()) code = reader.next();
  return code == 0xff ? 0 : code;
}

/// Markers that stand alone, and the stuffed zero of the coded data.
bool has_no_segment(unsigned marker) { return marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8); }

/// Like the decoder, this believes the tables rather than the segment's length where they differ.
bool tables_fit(Reader reader, int length) {
  constexpr int kHead = 17, kMostCodes = 256;
  while (length > 0) {
    reader.skip(1);
    int codes = 0;
    for (int i = 0; i < 16; ++i) codes += static_cast<int>(reader.next());
    if (codes > kMostCodes) return false;
    reader.skip(static_cast<std::size_t>(codes));
    length -= kHead + codes;
  }
  return true;
}

}  // namespace

bool jpeg_tables_fit(std::span<const std::byte> bytes) noexcept {
  constexpr unsigned kEndOfImage = 0xd9, kHuffmanTables = 0xc4;
  if (bytes.empty() || bytes[0] != std::byte{0xff}) return true;
  Reader reader(bytes);
  while (!reader.at_end()) {
    const unsigned marker = next_marker(reader);
    if (marker == kEndOfImage) return true;
    if (has_no_segment(marker)) continue;
    const std::size_t begin = reader.position();
    const unsigned length = reader.next_two();
    if (marker == kHuffmanTables && !tables_fit(reader, static_cast<int>(length) - 2)) return false;
    reader.seek(begin + length);
  }
  return true;
}

}  // namespace surefoot::cli
