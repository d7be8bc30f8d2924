/// Other wrappers of ORT, each built as a library of the functions in benchmarks/crates/exports.rs.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace surefoot::benchmarks {

/// One of a wrapper's ways to run a model. The wrapper stays loaded until the process ends.
struct PeerPath {
  void* library;
  std::size_t number;
  std::string name;  ///< stays from version to version
  std::string what;  ///< the crate, its version and the function
};

/// The ways of the wrapper in that file, loaded on the ORT library that ORT_DYLIB_PATH names.
std::vector<PeerPath> paths_of(const std::filesystem::path& library);

/// One model opened through a wrapper, with its input set; it stays open until the process ends. Whatever
/// fails ends the process with a text.
class Peer {
 public:
  Peer(const PeerPath& path, const std::filesystem::path& model, std::span<const float> x);

  /// One run; nothing is copied in or out.
  void run() const { run_(opened_); }
  /// Runs once more; `elements` as many as the output has.
  std::vector<float> output(std::size_t elements) const;

 private:
  void (*run_)(void*);
  void (*output_)(void*, float*, std::size_t);
  void* opened_;
};

}  // namespace surefoot::benchmarks
