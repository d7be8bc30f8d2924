#include "runtime/elf.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/library_search.hpp"
#include "runtime/stub_library.hpp"

namespace surefoot::runtime {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint16_t kX86 = 62;
constexpr std::uint16_t kAarch64 = 183;

std::vector<std::byte> bytes_of(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) bytes[i] = std::byte(text[i]);
  return bytes;
}

StubLibrary cuda_stub() {
  return {.soname = "libonnxruntime_providers_cuda.so",
          .needed = {"libcublasLt.so.13", "libc.so.6"},
          .rpath = "/opt/a:$ORIGIN",
          .runpath = "$ORIGIN/../lib",
          .symbol = "GetProvider",
          .versions = {{"libc.so.6", "GLIBC_2.34"}, {"libstdc++.so.6", "GLIBCXX_3.4.30"}},
          .machine = kX86,
          .wide = true};
}

TEST(ParseElf, ReadsNamesAndSearchPaths) {
  const auto facts = parse_elf(stub_bytes(cuda_stub()));
  ASSERT_TRUE(facts) << to_string(facts.error());
  EXPECT_EQ(facts->soname, "libonnxruntime_providers_cuda.so");
  EXPECT_THAT(facts->needed, ElementsAre("libcublasLt.so.13", "libc.so.6"));
  EXPECT_EQ(facts->rpath, "/opt/a:$ORIGIN");
  EXPECT_EQ(facts->runpath, "$ORIGIN/../lib");
  EXPECT_EQ(facts->bits, 64);
  EXPECT_EQ(machine_name(facts->machine), "x86-64");
  EXPECT_FALSE(facts->executable_stack);
}

TEST(ParseElf, ReadsTheVersionsThatAreNeededOfEachLibrary) {
  const auto facts = parse_elf(stub_bytes(cuda_stub()));
  ASSERT_TRUE(facts);
  EXPECT_THAT(facts->needed_versions, ElementsAre(SymbolVersion{"libc.so.6", "GLIBC_2.34"},
                                                  SymbolVersion{"libstdc++.so.6", "GLIBCXX_3.4.30"}));
  EXPECT_EQ(needed_glibc(*facts), "2.34");
}

TEST(ParseElf, ComparesGlibcVersionsAsNumbers) {
  auto stub = cuda_stub();
  stub.versions = {{"libc.so.6", "GLIBC_2.9"}, {"libc.so.6", "GLIBC_2.10"}, {"libc.so.6", "GLIBC_PRIVATE"}};
  EXPECT_EQ(needed_glibc(*parse_elf(stub_bytes(stub))), "2.10");
}

struct Architecture {
  std::uint16_t machine;
  bool wide;
  bool little;
};

class ParseElfOf : public testing::TestWithParam<Architecture> {};

TEST_P(ParseElfOf, AnotherArchitectureReadsTheSameNames) {
  auto stub = cuda_stub();
  stub.machine = GetParam().machine;
  stub.wide = GetParam().wide;
  stub.little = GetParam().little;
  const auto facts = parse_elf(stub_bytes(stub));
  ASSERT_TRUE(facts) << to_string(facts.error());
  EXPECT_EQ(facts->machine, GetParam().machine);
  EXPECT_EQ(facts->bits, GetParam().wide ? 64 : 32);
  EXPECT_EQ(facts->little_endian, GetParam().little);
  EXPECT_THAT(facts->needed, ElementsAre("libcublasLt.so.13", "libc.so.6"));
  EXPECT_EQ(facts->needed_versions.size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(All, ParseElfOf,
                         testing::Values(Architecture{kAarch64, true, true}, Architecture{40, false, true},
                                         Architecture{21, true, false}, Architecture{20, false, false}));

TEST(ParseElf, TellsALibraryThatAsksForAnExecutableStack) {
  auto stub = cuda_stub();
  stub.executable_stack = true;
  EXPECT_TRUE(parse_elf(stub_bytes(stub))->executable_stack);
}

struct WrongFile {
  std::string_view content;
  std::string_view said;
};

class ParseElfSays : public testing::TestWithParam<WrongFile> {};

TEST_P(ParseElfSays, WhatAFileIsThatIsNoLibrary) {
  const auto facts = parse_elf(bytes_of(GetParam().content), "`libonnxruntime.so`");
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().code, ErrorCode::RuntimeUnavailable);
  EXPECT_THAT(facts.error().what, HasSubstr("`libonnxruntime.so` is not a shared library: "));
  EXPECT_THAT(facts.error().what, HasSubstr(std::string(GetParam().said)));
}

INSTANTIATE_TEST_SUITE_P(
    All, ParseElfSays,
    testing::Values(WrongFile{"", "it is empty"},
                    WrongFile{"version https://git-lfs.github.com/spec/v1\noid", "Git LFS pointer"},
                    WrongFile{std::string_view("PK\x03\x04\x14\0", 6),
                              "the bytes 50 4b 03 04 14 00 (a zip archive"},
                    WrongFile{"<!DOCTYPE html><html>", "an HTML page"},
                    WrongFile{"MZ\x90", "a Windows library"}, WrongFile{"!<arch>\nfoo", "a static library"},
                    WrongFile{"hello", "it starts with `hello`"}));

TEST(ParseElf, SaysWhereACutOffFileEnds) {
  auto bytes = stub_bytes(cuda_stub());
  const std::size_t whole = bytes.size();
  bytes.resize(300);
  const auto facts = parse_elf(bytes);
  ASSERT_FALSE(facts);
  EXPECT_THAT(facts.error().what,
              HasSubstr("ends at byte 300, but its headers reach to byte " + std::to_string(whole)));
}

TEST(ParseElf, RefusesAnObjectFile) {
  auto stub = cuda_stub();
  stub.type = 1;
  const auto facts = parse_elf(stub_bytes(stub));
  ASSERT_FALSE(facts);
  EXPECT_THAT(facts.error().what, HasSubstr("not a shared library but an object file"));
}

TEST(ParseElf, SurvivesACutAtEveryByte) {
  const auto bytes = stub_bytes(cuda_stub());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<std::byte> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(parse_elf(part)) << "cut at " << size;
    EXPECT_FALSE(exports_symbol(part, "GetProvider")) << "cut at " << size;
  }
}

TEST(ParseElf, SurvivesEveryByteBeingWrong) {
  for (const auto& original :
       {stub_bytes(cuda_stub()), stub_bytes(StubLibrary{.machine = 40, .wide = false})})
    for (const int wrong : {0x00, 0x01, 0x7f, 0x80, 0xff})
      for (std::size_t i = 0; i < original.size(); ++i) {
        auto bytes = original;
        bytes[i] = std::byte(wrong);
        const auto facts = parse_elf(bytes);
        const auto found = exports_symbol(bytes, "GetProvider");
        if (!facts) {
          EXPECT_FALSE(facts.error().what.empty());
        }
        if (!found) {
          EXPECT_FALSE(found.error().what.empty());
        }
      }
}

TEST(ExportsSymbol, FindsASymbolByTheOldHashTable) {
  const auto bytes = stub_bytes(cuda_stub());
  EXPECT_TRUE(*exports_symbol(bytes, "GetProvider"));
  EXPECT_FALSE(*exports_symbol(bytes, "OrtGetApiBase"));
  EXPECT_FALSE(*exports_symbol(bytes, ""));
}

TEST(ExportsSymbol, DoesNotTakeASymbolThatIsWantedForOneThatIsThere) {
  auto stub = cuda_stub();
  stub.defines_symbol = false;
  EXPECT_FALSE(*exports_symbol(stub_bytes(stub), "GetProvider"));
}

TEST(ParseElf, RefusesANameWithoutAnEnd) {
  const auto facts = parse_elf(stub_bytes({.needed = {std::string(5000, 'x')}}));
  ASSERT_FALSE(facts);
  EXPECT_THAT(facts.error().what, HasSubstr("is damaged: a name of its dynamic section"));
}

/// The C library of this process: a file that the loader has accepted.
std::filesystem::path c_library() {
  Dl_info info{};
  const bool found = dladdr(reinterpret_cast<const void*>(&std::strtol), &info) != 0;
  return found ? info.dli_fname : "";
}

TEST(ExportsSymbol, FindsASymbolByTheGnuHashTable) {
  const auto file = c_library();
  EXPECT_TRUE(*file_exports_symbol(file, "strtol")) << file;
  EXPECT_TRUE(*file_exports_symbol(file, "malloc"));
  EXPECT_FALSE(*file_exports_symbol(file, "OrtGetApiBase"));
}

TEST(ReadElf, AgreesWithTheLoaderOnThisMachine) {
  const auto facts = read_elf(c_library());
  ASSERT_TRUE(facts) << to_string(facts.error());
  EXPECT_THAT(SearchPaths::of_this_process().mapped, Contains(facts->soname));
  EXPECT_TRUE(fits_this_machine(*facts, c_library()));
}

TEST(ReadElf, NamesAFileThatIsMissingAndAFolder) {
  const TestFolder folder;
  const auto missing = read_elf(folder.path() / "libx.so");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
  EXPECT_THAT(missing.error().what, HasSubstr("libx.so` does not exist"));
  const auto is_folder = read_elf(folder.path());
  ASSERT_FALSE(is_folder);
  EXPECT_EQ(is_folder.error().code, ErrorCode::IoFailed);
  EXPECT_THAT(is_folder.error().what, HasSubstr("is a folder, not a file"));
}

TEST(ReadElf, NamesTheFileInEveryError) {
  const TestFolder folder;
  write_file(folder.path() / "libx.so", bytes_of("hello"));
  EXPECT_THAT(read_elf(folder.path() / "libx.so").error().what,
              HasSubstr("libx.so` is not a shared library"));
}

HostFacts host_of(std::uint16_t machine) { return {.machine = machine, .bits = 64, .little_endian = true}; }

TEST(FitsThisMachine, NamesBothArchitectures) {
  auto stub = cuda_stub();
  stub.machine = kAarch64;
  const auto fits = fits_this_machine(*parse_elf(stub_bytes(stub)), "/x/libort.so", host_of(kX86));
  ASSERT_FALSE(fits);
  EXPECT_EQ(fits.error().code, ErrorCode::RuntimeUnavailable);
  EXPECT_EQ(fits.error().what, "`/x/libort.so` is built for aarch64, this process is x86-64");
}

TEST(FitsThisMachine, NamesBothGlibcVersions) {
  auto host = host_of(kX86);
  host.glibc = "2.31";
  const auto fits = fits_this_machine(*parse_elf(stub_bytes(cuda_stub())), "/x/libort.so", host);
  ASSERT_FALSE(fits);
  EXPECT_EQ(fits.error().what, "`/x/libort.so` needs glibc 2.34, this machine has glibc 2.31");
  host.glibc = "2.34";
  EXPECT_TRUE(fits_this_machine(*parse_elf(stub_bytes(cuda_stub())), "/x/libort.so", host));
}

TEST(FitsThisMachine, RefusesAnExecutableStackOnlyWhereGlibcDoes) {
  auto stub = cuda_stub();
  stub.executable_stack = true;
  auto host = host_of(kX86);
  host.glibc = "2.40";
  EXPECT_TRUE(fits_this_machine(*parse_elf(stub_bytes(stub)), "/x/libort.so", host));
  host.glibc = "2.41";
  const auto fits = fits_this_machine(*parse_elf(stub_bytes(stub)), "/x/libort.so", host);
  ASSERT_FALSE(fits);
  EXPECT_THAT(fits.error().what, HasSubstr("executable stack"));
}

}  // namespace
}  // namespace surefoot::runtime
