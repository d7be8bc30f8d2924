/// ORT's function table, and the one way in which it is called.
#pragma once

#include <memory>
#include <string>

#include "ort/abi.hpp"
#include "surefoot/result.hpp"

namespace surefoot::ort {

/// Signature of a table entry as a pointer: ORT promises that nothing is thrown across it.
template <class Signature>
struct Pointer;
template <class R, class... P>
struct Pointer<R(P...)> {
  using type = R (*)(P...) noexcept;
};

/// The functions of one loaded ORT. Lives as long as the process; safe from any thread.
class Api {
 public:
  /// `table` is what GetApi(`version`) returned; `version_text` is ORT's own, e.g. "1.31.1".
  Api(const OrtApi* table, int version, std::string version_text)
      : table_(reinterpret_cast<const void* const*>(table)),
        version_(version),
        text_(std::move(version_text)) {}

  int version() const noexcept { return version_; }
  const std::string& version_text() const noexcept { return text_; }

  template <class Signature>
  bool has(const Function<Signature>& function) const noexcept {
    return function.since <= version_;
  }

  /// The bare function, for paths where nanoseconds count. `has(function)` must hold.
  template <class Signature>
  auto get(const Function<Signature>& function) const noexcept -> typename Pointer<Signature>::type {
    return reinterpret_cast<typename Pointer<Signature>::type>(const_cast<void*>(table_[function.slot]));
  }

  /// Calls a function that returns a status. Errors: what ORT said; Unsupported when this ORT lacks it.
  template <class... P, class... A>
  Result<void> call(const Function<OrtStatus*(P...)>& function, A... arguments) const {
    return call_in(table_, function, arguments...);
  }

  /// The same for a function of another table of this ORT's, such as OrtCompileApi.
  template <class... P, class... A>
  Result<void> call_in(const void* const* table, const Function<OrtStatus*(P...)>& function,
                       A... arguments) const {
    if (!has(function)) return fail(lacking(function.name, function.since));
    OrtStatus* status = reinterpret_cast<typename Pointer<OrtStatus*(P...)>::type>(
        const_cast<void*>(table[function.slot]))(arguments...);
    if (status == nullptr) return {};
    return fail(take_error(status));
  }

  /// Turns a status into an Error and releases it. `status` must not be null.
  Error take_error(OrtStatus* status) const;

  /// That this ORT has no such function.
  template <class Signature>
  Error lacking(const Function<Signature>& function) const {
    return lacking(function.name, function.since);
  }

 private:
  Error lacking(const char* name, int since) const;

  const void* const* table_;
  int version_;
  std::string text_;
};

/// Which function of ours an ORT error belongs to; decided by text where ORT's code says nothing.
ErrorCode classify(OrtErrorCode code, std::string_view text);

template <class T>
inline constexpr Function<void(T*)> release_of = {};
template <>
inline constexpr Function<void(OrtSession*)> release_of<OrtSession> = fn::ReleaseSession;
template <>
inline constexpr Function<void(OrtSessionOptions*)> release_of<OrtSessionOptions> = fn::ReleaseSessionOptions;
template <>
inline constexpr Function<void(OrtRunOptions*)> release_of<OrtRunOptions> = fn::ReleaseRunOptions;
template <>
inline constexpr Function<void(OrtValue*)> release_of<OrtValue> = fn::ReleaseValue;
template <>
inline constexpr Function<void(OrtTypeInfo*)> release_of<OrtTypeInfo> = fn::ReleaseTypeInfo;
template <>
inline constexpr Function<void(OrtTensorTypeAndShapeInfo*)> release_of<OrtTensorTypeAndShapeInfo> =
    fn::ReleaseTensorTypeAndShapeInfo;
template <>
inline constexpr Function<void(OrtModelMetadata*)> release_of<OrtModelMetadata> = fn::ReleaseModelMetadata;
template <>
inline constexpr Function<void(OrtMemoryInfo*)> release_of<OrtMemoryInfo> = fn::ReleaseMemoryInfo;
template <>
inline constexpr Function<void(OrtIoBinding*)> release_of<OrtIoBinding> = fn::ReleaseIoBinding;
template <>
inline constexpr Function<void(OrtAllocator*)> release_of<OrtAllocator> = fn::ReleaseAllocator;
template <>
inline constexpr Function<void(OrtThreadingOptions*)> release_of<OrtThreadingOptions> =
    fn::ReleaseThreadingOptions;
template <>
inline constexpr Function<void(OrtCUDAProviderOptionsV2*)> release_of<OrtCUDAProviderOptionsV2> =
    fn::ReleaseCUDAProviderOptions;
template <>
inline constexpr Function<void(OrtTensorRTProviderOptionsV2*)> release_of<OrtTensorRTProviderOptionsV2> =
    fn::ReleaseTensorRTProviderOptions;
template <>
inline constexpr Function<void(OrtROCMProviderOptions*)> release_of<OrtROCMProviderOptions> =
    fn::ReleaseROCMProviderOptions;
template <>
inline constexpr Function<void(OrtCANNProviderOptions*)> release_of<OrtCANNProviderOptions> =
    fn::ReleaseCANNProviderOptions;
template <>
inline constexpr Function<void(OrtDnnlProviderOptions*)> release_of<OrtDnnlProviderOptions> =
    fn::ReleaseDnnlProviderOptions;

template <class T>
struct Release {
  const Api* api = nullptr;
  void operator()(T* object) const noexcept { api->get(release_of<T>)(object); }
};

/// Owns one ORT object. The Api must outlive it, which it does: it lives as long as the process.
template <class T>
using Handle = std::unique_ptr<T, Release<T>>;

/// Runs a function whose last parameter is `T** out` and owns what comes out.
template <class T, class... P, class... A>
Result<Handle<T>> make(const Api& api, const Function<OrtStatus*(P...)>& function, A... arguments) {
  T* object = nullptr;
  if (auto done = api.call(function, arguments..., &object); !done) return fail(std::move(done).error());
  return Handle<T>(object, Release<T>{&api});
}

}  // namespace surefoot::ort
