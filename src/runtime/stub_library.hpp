/// Small shared libraries made byte by byte, for tests: no compiler is needed, and any fact can be made up.
/// The loader opens those that are made for this machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/elf.hpp"

#include "tests/support/test_folder.hpp"

namespace surefoot::runtime {

using surefoot::tests::TestFolder;

struct StubLibrary {
  std::string soname = {};
  std::vector<std::string> needed = {};
  std::string rpath = {};
  std::string runpath = {};
  std::string symbol = "stub";
  std::vector<SymbolVersion> versions = {};
  std::uint16_t machine = machine_of_this_process();
  bool wide = bits_of_this_process() == 64;
  bool little = true;
  std::uint16_t type = 3;
  bool executable_stack = false;
  bool defines_symbol = true;  ///< false: the symbol is wanted from elsewhere
};

/// Appends numbers in the byte order and width of the file that is made.
class StubWriter {
 public:
  explicit StubWriter(const StubLibrary& what) : what_(what) {}

  std::vector<std::byte> bytes() {
    const Offsets at = offsets();
    header(at);
    segments(at);
    hash();
    symbols();
    for (const char c : strings_) out_.push_back(std::byte(c));
    pad();
    versions();
    dynamic(at);
    return std::move(out_);
  }

 private:
  struct Offsets {
    std::uint64_t hash, symbols, strings, versions, dynamic, end;
  };

  void number(std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
      out_.push_back(std::byte(value >> (8 * (what_.little ? i : size - 1 - i))));
  }
  void word(std::uint64_t value) { number(value, what_.wide ? 8 : 4); }
  void pad() {
    while (out_.size() % 8 != 0) out_.push_back(std::byte{0});
  }
  std::uint64_t string(const std::string& text) {
    const std::size_t index = strings_.size();
    strings_ += text + '\0';
    return index;
  }

  /// Strings first, since everything else holds their places.
  Offsets offsets() {
    strings_ = std::string(1, '\0');
    symbol_ = string(what_.symbol);
    entry(14, what_.soname);
    for (const std::string& name : what_.needed) entries_.emplace_back(1, string(name));
    entry(15, what_.rpath);
    entry(29, what_.runpath);
    for (const SymbolVersion& each : what_.versions)
      version_names_.emplace_back(string(each.library), string(each.version));
    const auto aligned = [](std::uint64_t offset) { return (offset + 7) / 8 * 8; };
    Offsets at{};
    at.hash = aligned((what_.wide ? 64 : 52) + 3 * (what_.wide ? 56 : 32));
    at.symbols = at.hash + 24;
    at.strings = at.symbols + 2 * (what_.wide ? 24 : 16);
    at.versions = aligned(at.strings + strings_.size());
    at.dynamic = at.versions + 32 * version_names_.size();
    const std::uint64_t tags = entries_.size() + 6 + (version_names_.empty() ? 0 : 2);
    at.end = at.dynamic + tags * (what_.wide ? 16 : 8);
    return at;
  }
  void entry(std::uint64_t tag, const std::string& text) {
    if (!text.empty()) entries_.emplace_back(tag, string(text));
  }

  void header(const Offsets&) {
    for (const char c : {'\x7f', 'E', 'L', 'F'}) out_.push_back(std::byte(c));
    number(what_.wide ? 2 : 1, 1);
    out_.push_back(std::byte(what_.little ? 1 : 2));
    number(1, 1);
    out_.resize(16);
    number(what_.type, 2);
    number(what_.machine, 2);
    number(1, 4);
    word(0);
    word(what_.wide ? 64 : 52);
    word(0);
    number(0, 4);
    for (const std::uint64_t each : {what_.wide ? 64 : 52, what_.wide ? 56 : 32, 3, 0, 0, 0}) number(each, 2);
  }
  void segment(std::uint32_t type, std::uint32_t flags, std::uint64_t offset, std::uint64_t size) {
    number(type, 4);
    if (what_.wide) number(flags, 4);
    for (const std::uint64_t each : {offset, offset, offset, size, size}) word(each);
    if (!what_.wide) number(flags, 4);
    word(type == 1 ? 0x1000 : 8);
  }
  void segments(const Offsets& at) {
    segment(1, 6, 0, at.end);  // writable: the loader puts addresses into the dynamic section
    segment(2, 6, at.dynamic, at.end - at.dynamic);
    segment(0x6474e551, what_.executable_stack ? 7 : 6, 0, 0);
    pad();
  }
  void hash() {
    for (const std::uint64_t each : {1, 2, 1, 0, 0, 0}) number(each, 4);  // one bucket, which holds symbol 1
  }
  void symbols() {
    out_.resize(out_.size() + (what_.wide ? 24 : 16));
    number(symbol_, 4);
    if (!what_.wide) word(0x40), word(0);
    number(0x12, 1);  // a global function
    number(0, 1);
    number(what_.defines_symbol ? 1 : 0, 2);
    if (what_.wide) word(0x40), word(0);
  }
  void versions() {
    for (std::size_t i = 0; i < version_names_.size(); ++i) {
      const auto& [library, version] = version_names_[i];
      number(1, 2);
      number(1, 2);
      number(library, 4);
      number(16, 4);
      number(i + 1 == version_names_.size() ? 0 : 32, 4);
      number(0, 4);  // the hash of the version's name, which only the loader reads
      number(0, 2);
      number(2, 2);
      number(version, 4);
      number(0, 4);
    }
  }
  void tag(std::uint64_t name, std::uint64_t value) {
    word(name);
    word(value);
  }
  void dynamic(const Offsets& at) {
    for (const auto& [name, value] : entries_) tag(name, value);
    tag(4, at.hash);
    tag(5, at.strings);
    tag(6, at.symbols);
    tag(10, strings_.size());
    tag(11, what_.wide ? 24 : 16);
    if (!version_names_.empty()) {
      tag(0x6ffffffe, at.versions);
      tag(0x6fffffff, version_names_.size());
    }
    tag(0, 0);
  }

  const StubLibrary& what_;
  std::vector<std::byte> out_;
  std::string strings_;
  std::uint64_t symbol_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> entries_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> version_names_;
};

inline std::vector<std::byte> stub_bytes(const StubLibrary& what) { return StubWriter(what).bytes(); }

inline void write_file(const std::filesystem::path& file, std::span<const std::byte> bytes) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

inline void write_stub(const std::filesystem::path& file, const StubLibrary& what) {
  write_file(file, stub_bytes(what));
}

}  // namespace surefoot::runtime
