#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <utility>

#include "runtime/elf.hpp"

#if defined(__GLIBC__) || __has_include(<gnu/libc-version.h>)
#include <gnu/libc-version.h>
#endif

namespace surefoot::runtime {
namespace {

using Version = std::pair<int, int>;

/// "2.34" or "2.2.5" (whose third number never decides); {0, 0} for anything else.
Version version_of(std::string_view text) {
  Version version{0, 0};
  const auto [dot, bad] = std::from_chars(text.data(), text.data() + text.size(), version.first);
  if (bad != std::errc{} || dot == text.data() + text.size() || *dot != '.') return {0, 0};
  const auto [end, worse] = std::from_chars(dot + 1, text.data() + text.size(), version.second);
  return worse == std::errc{} ? version : Version{0, 0};
}

Failure unfit(std::string what, std::string hint) {
  return fail({.code = ErrorCode::RuntimeUnavailable, .what = std::move(what), .hint = std::move(hint)});
}

std::string built_for(std::uint16_t machine, int bits, bool little_endian) {
  return fmt::format("{}{}{}", machine_name(machine), bits == 32 ? " (32 bits)" : "",
                     little_endian ? "" : " (big-endian)");
}

}  // namespace

std::uint16_t machine_of_this_process() {
#if defined(__x86_64__) || defined(_M_X64)
  return 62;
#elif defined(__aarch64__) || defined(_M_ARM64)
  return 183;
#elif defined(__arm__)
  return 40;
#elif defined(__riscv)
  return 243;
#elif defined(__powerpc64__)
  return 21;
#elif defined(__s390x__)
  return 22;
#elif defined(__loongarch__)
  return 258;
#else
  return 3;
#endif
}

int bits_of_this_process() { return static_cast<int>(sizeof(void*)) * 8; }

std::string glibc_version() {
#if defined(__GLIBC__)
  return gnu_get_libc_version();
#else
  return {};
#endif
}

HostFacts this_host() {
  return {.machine = machine_of_this_process(),
          .bits = bits_of_this_process(),
          .little_endian = std::endian::native == std::endian::little,
          .glibc = glibc_version()};
}

std::string needed_glibc(const ElfFacts& facts) {
  constexpr std::string_view kPrefix = "GLIBC_";
  std::string_view newest;
  for (const SymbolVersion& each : facts.needed_versions) {
    const std::string_view text = each.version;
    if (!text.starts_with(kPrefix)) continue;
    const std::string_view number = text.substr(kPrefix.size());
    if (version_of(number) > version_of(newest)) newest = number;
  }
  return std::string(newest);
}

Result<void> fits_this_machine(const ElfFacts& facts, const std::filesystem::path& file,
                               const HostFacts& host) {
  if (facts.machine != host.machine || facts.bits != host.bits || facts.little_endian != host.little_endian)
    return unfit(fmt::format("`{}` is built for {}, this process is {}", file.string(),
                             built_for(facts.machine, facts.bits, facts.little_endian),
                             built_for(host.machine, host.bits, host.little_endian)),
                 fmt::format("use the library's build for {}", machine_name(host.machine)));
  const std::string needed = needed_glibc(facts);
  if (!host.glibc.empty() && version_of(needed) > version_of(host.glibc))
    return unfit(
        fmt::format("`{}` needs glibc {}, this machine has glibc {}", file.string(), needed, host.glibc),
        "use an older release of the library, or a newer release of the operating system");
  if (facts.executable_stack && version_of(host.glibc) >= Version{2, 41})
    return unfit(
        fmt::format("`{}` asks for an executable stack, which glibc {} refuses", file.string(), host.glibc),
        "use a newer release of the library");
  return {};
}

}  // namespace surefoot::runtime
