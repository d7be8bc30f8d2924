/// Libraries that pass for an ONNX Runtime of any version, for tests: a few lines of C, compiled on the spot.
/// Like the real one, a stub writes to stderr when it is asked for an API that it does not have.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace surefoot::ort {

struct StubRuntime {
  std::string version = "1.31.1";
  int newest_api = 31;
  bool has_entry = true;   ///< exports OrtGetApiBase
  bool has_base = true;    ///< OrtGetApiBase gives something
  std::string needs = {};  ///< a library that it is linked to, and that is not there
  bool starts = true;      ///< makes an environment
  int start_ms = 0;        ///< how long it takes for that
};

inline std::string stub_source(const StubRuntime& what) {
  return fmt::format(R"(
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
static char* providers[] = {{"CPUExecutionProvider"}};
static void* available(char*** names, int* count) {{ *names = providers; *count = 1; return 0; }}
static void* succeed(void) {{ return 0; }}
static char status, env;
static int code(void* status) {{ return 6; }}
static const char* text(void* status) {{ return "the stub does not start"; }}
static void* make_env(void* log, void* param, int level, const char* id, void** out) {{
  usleep({start_ms} * 1000);
  *out = &env;
  return {starts} ? 0 : &status;
}}
static const void* table[512] = {{[1] = code, [2] = text, [93] = succeed, [4] = make_env, [6] = succeed,
                                  [69] = succeed, [78] = succeed, [125] = available, [126] = succeed}};
static const void* get_api(uint32_t version) {{
  if (version >= 1 && version <= {newest}) return table;
  fprintf(stderr, "The requested API version [%u] is not available\n", version);
  return 0;
}}
static const char* version(void) {{ return "{version}"; }}
static const struct {{ const void* (*api)(uint32_t); const char* (*version)(void); }} base = {{get_api, version}};
const void* {entry}(void) {{ return {base}; }}
)",
                     fmt::arg("starts", what.starts ? 1 : 0), fmt::arg("start_ms", what.start_ms),
                     fmt::arg("newest", what.newest_api), fmt::arg("version", what.version),
                     fmt::arg("entry", what.has_entry ? "OrtGetApiBase" : "Other"),
                     fmt::arg("base", what.has_base ? "&base" : "0"));
}

/// Compiles the stub to `file`, with $CC or cc. False when there is no compiler that can.
inline bool write_stub_runtime(const std::filesystem::path& file, const StubRuntime& what = {}) {
  std::filesystem::create_directories(file.parent_path());
  const std::string source = file.string() + ".c";
  std::ofstream(source) << stub_source(what);
  const char* named = std::getenv("CC");
  const std::string compiler = fmt::format("{} -w -fPIC -shared", named == nullptr ? "cc" : named);
  std::string command = fmt::format("{} -o '{}' '{}'", compiler, file.string(), source);
  if (!what.needs.empty()) {
    // Linked to a library that is then taken away.
    const std::string gone = (file.parent_path() / what.needs).string();
    command = fmt::format(
        "echo 'int gone;' | {0} -xc - -Wl,-soname,{1} -o '{2}' && {0} -Wl,--no-as-needed -o '{3}' '{4}' "
        "'{2}' && rm '{2}'",
        compiler, what.needs, gone, file.string(), source);
  }
  const bool made = std::system(command.c_str()) == 0;
  std::filesystem::remove(source);
  return made;
}

}  // namespace surefoot::ort

/// Compiles the stub, or skips the test with the reason.
#define WRITE_STUB_RUNTIME(...)                        \
  if (!surefoot::ort::write_stub_runtime(__VA_ARGS__)) \
  GTEST_SKIP() << "no C compiler makes the stub "      \
                  "library"
