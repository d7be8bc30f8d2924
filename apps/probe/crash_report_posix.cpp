#include <dlfcn.h>
#include <execinfo.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <string_view>

#include "apps/probe/crash_report.hpp"

namespace surefoot {
namespace {

constexpr int kFrames = 64;
int report_to = -1;
const char* own_file = "";
// A stack overflow leaves none of the usual one.
alignas(16) std::array<char, 64 * 1024> spare_stack;

/// The system's part of a crash: raising, unwinding, terminating.
bool is_systems(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  const std::string_view name = slash == file.npos ? file : file.substr(slash + 1);
  for (const std::string_view known :
       {"libc.so", "libc-", "libpthread", "libstdc++", "libgcc_s", "linux-vdso", "ld-"})
    if (name.starts_with(known)) return true;
  return false;
}

void say(std::string_view text) {
  if (::write(report_to, text.data(), text.size()) < 0) return;  // nobody listens: nothing to be done
}

void name_guilty_library() {
  std::array<void*, kFrames> frames{};
  const int count = ::backtrace(frames.data(), kFrames);
  for (int i = 0; i < count; ++i) {
    Dl_info place{};
    if (::dladdr(frames[static_cast<std::size_t>(i)], &place) == 0 || place.dli_fname == nullptr) continue;
    if (std::strcmp(place.dli_fname, own_file) == 0 || is_systems(place.dli_fname)) continue;
    say("crash ");
    say(place.dli_fname);
    return say("\n");
  }
}

void on_crash(int signal) {
  name_guilty_library();
  ::raise(signal);  // SA_RESETHAND: now it dies of it
}

}  // namespace

void report_crashes(int descriptor) {
  report_to = descriptor;
  Dl_info own{};
  if (::dladdr(reinterpret_cast<const void*>(&report_crashes), &own) != 0) own_file = own.dli_fname;
  std::array<void*, 1> frame{};
  (void)::backtrace(frame.data(), 1);  // loads the unwinder, which a handler could not
  const rlimit none{0, 0};
  (void)::setrlimit(RLIMIT_CORE, &none);
  stack_t stack{};
  stack.ss_sp = spare_stack.data();
  stack.ss_size = spare_stack.size();
  (void)::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_ONSTACK | SA_NODEFER);
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE})
    (void)::sigaction(signal, &action, nullptr);
}

}  // namespace surefoot
