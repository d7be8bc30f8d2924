#include "benchmarks/peer.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace surefoot::benchmarks {
namespace {

void* found(void* handle_or_symbol) {
  if (handle_or_symbol != nullptr) return handle_or_symbol;
  std::fprintf(stderr, "error: %s\n", ::dlerror());
  std::exit(2);
}

template <class Function>
Function* function(void* library, const char* name) {
  return reinterpret_cast<Function*>(found(::dlsym(library, name)));
}

}  // namespace

std::vector<PeerPath> paths_of(const std::filesystem::path& library) {
  // Local: all crates carry functions of the same names.
  void* handle = found(::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL));
  const auto name = function<const char*(std::size_t)>(handle, "peer_name");
  const auto what = function<const char*(std::size_t)>(handle, "peer_what");
  std::vector<PeerPath> paths;
  while (const char* known = name(paths.size()))
    paths.push_back({handle, paths.size(), known, what(paths.size())});
  return paths;
}

Peer::Peer(const PeerPath& path, const std::filesystem::path& model, std::span<const float> x)
    : run_(function<void(void*)>(path.library, "peer_run")),
      output_(function<void(void*, float*, std::size_t)>(path.library, "peer_output")) {
  const auto open =
      function<void*(std::size_t, const char*, const float*, std::size_t)>(path.library, "peer_open");
  opened_ = open(path.number, model.c_str(), x.data(), x.size());
}

std::vector<float> Peer::output(std::size_t elements) const {
  std::vector<float> y(elements);
  output_(opened_, y.data(), y.size());
  return y;
}

}  // namespace surefoot::benchmarks
