#include <fmt/format.h>

#include "file/mapped_file.hpp"
#include "runtime/elf.hpp"

namespace surefoot::runtime {

Result<ElfFacts> read_elf(const std::filesystem::path& file) {
  auto mapped = file::MappedFile::open(file);
  if (!mapped) return fail(std::move(mapped.error()));
  return parse_elf(mapped->bytes(), fmt::format("`{}`", file.string()));
}

Result<bool> file_exports_symbol(const std::filesystem::path& file, std::string_view symbol) {
  auto mapped = file::MappedFile::open(file);
  if (!mapped) return fail(std::move(mapped.error()));
  return exports_symbol(mapped->bytes(), symbol, fmt::format("`{}`", file.string()));
}

}  // namespace surefoot::runtime
