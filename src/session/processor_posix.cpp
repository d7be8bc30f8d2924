#include <fstream>

#include "session/processor.hpp"

namespace surefoot::session {
namespace {

/// Linux on x86 writes "model name" and "flags", on ARM "CPU part" and "Features".
bool tells_of_code(const std::string& line) {
  for (const char* begin : {"model name", "flags", "CPU part", "Features"})
    if (line.starts_with(begin)) return true;
  return false;
}

}  // namespace

std::string processor(const std::filesystem::path& root) {
  std::ifstream in(root / "proc/cpuinfo");
  std::string text, line;
  // One block for each processor, with an empty line behind it; the first stands for all.
  while (std::getline(in, line) && !line.empty())
    if (tells_of_code(line)) text += line + '\n';
  return text;
}

}  // namespace surefoot::session
