/// What a shared library says of itself, read from its file without loading it.
///
/// Threads  pure functions and readers of files: call from any thread.
/// Safety   the bytes may be anything: every offset, count and string is checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/result.hpp"

namespace surefoot::runtime {

/// A version of a library's symbols: {"libc.so.6", "GLIBC_2.34"}.
struct SymbolVersion {
  std::string library;
  std::string version;
  bool operator==(const SymbolVersion&) const = default;
};

struct ElfFacts {
  int bits = 0;  ///< 32 or 64
  bool little_endian = true;
  std::uint16_t machine = 0;             ///< e_machine
  std::string soname = {};               ///< empty when it has none
  std::vector<std::string> needed = {};  ///< DT_NEEDED, in order
  std::string rpath = {};                ///< as written: `$ORIGIN` and colons unexpanded
  std::string runpath = {};
  std::vector<SymbolVersion> needed_versions = {};
  bool executable_stack = false;  ///< asks for one; glibc refuses that from 2.41 on
};

/// "x86-64", "aarch64", …; "machine 123" for one without a name here.
std::string machine_name(std::uint16_t machine);

/// The e_machine and the bits of this process.
std::uint16_t machine_of_this_process();
int bits_of_this_process();

/// Reads the facts of a shared library of any architecture. `subject` names the file in errors.
/// Errors: RuntimeUnavailable (not a shared library, cut off, damaged): says what the file is.
Result<ElfFacts> parse_elf(std::span<const std::byte> file, std::string_view subject = "the file");

/// Whether the library exports a dynamic symbol of that name, found through its hash table.
/// Errors: as parse_elf.
Result<bool> exports_symbol(std::span<const std::byte> file, std::string_view symbol,
                            std::string_view subject = "the file");

/// parse_elf on a file, of which only the pages that matter are read.
/// Errors: NotFound, IoFailed (unreadable, a folder), else as parse_elf.
Result<ElfFacts> read_elf(const std::filesystem::path& file);

/// exports_symbol on a file. Errors: as read_elf.
Result<bool> file_exports_symbol(const std::filesystem::path& file, std::string_view symbol);

/// "2.36"; empty where this process does not run on glibc.
std::string glibc_version();

/// The newest glibc version among the needed ones: "2.34"; empty when none is asked for.
std::string needed_glibc(const ElfFacts& facts);

/// Whether a machine with that glibc could load it; a version that is not known is not checked.
struct HostFacts {
  std::uint16_t machine = 0;
  int bits = 0;
  bool little_endian = true;
  std::string glibc = {};
};
HostFacts this_host();

/// Whether this process could load such a library, as far as the file tells.
/// Errors: RuntimeUnavailable (another architecture, a newer glibc, an executable stack).
Result<void> fits_this_machine(const ElfFacts& facts, const std::filesystem::path& file,
                               const HostFacts& host = this_host());

}  // namespace surefoot::runtime
