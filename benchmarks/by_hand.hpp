/// The other side of the comparisons: ORT's C API as a careful programmer calls it by hand.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "ort/session_options.hpp"
#include "surefoot/runtime.hpp"
#include "surefoot/tensor.hpp"

namespace surefoot::benchmarks {

/// A session with one input `x` and one output `y`, one thread, everything looked up beforehand.
class ByHand {
 public:
  ByHand(const Runtime& runtime, const std::filesystem::path& model);

  /// Makes the input tensor, runs, reads the output's place and shape, releases both.
  void run(TensorView x) const;
  /// Makes both tensors over the caller's memory, runs, releases both.
  void run_into(TensorView x, MutableTensorView y) const;
  /// Makes the tensors over the caller's memory, once, and binds them.
  void bind(TensorView x, MutableTensorView y);
  /// Runs on the tensors that bind() made: by Run, or by RunWithBinding.
  void run_bound() const;
  void run_with_binding() const;

  /// One CreateSession, with options of its own, and its release.
  static void open_and_close(const Runtime& runtime, const std::filesystem::path& model);

 private:
  ort::Environment& environment_;
  ort::Handle<ort::OrtSessionOptions> options_;
  ort::Handle<ort::OrtSession> session_;
  ort::Handle<ort::OrtValue> x_, y_;
  ort::Handle<ort::OrtIoBinding> binding_;
};

/// Ends the program with the error's text.
[[noreturn]] void give_up(const Error& error);

template <class T>
T must(Result<T> result) {
  if (!result) give_up(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace surefoot::benchmarks
