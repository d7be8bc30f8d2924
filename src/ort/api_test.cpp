#include "ort/api.hpp"

#include <gmock/gmock.h>

#include <array>
#include <map>

namespace surefoot::ort {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// What a status of the fake table is.
struct FakeStatus {
  OrtErrorCode code;
  const char* text;
};

int calls = 0;
int released = 0;
const FakeStatus* answer = nullptr;

OrtStatus* answering(OrtSession*, OrtAllocator*, char**) noexcept {
  ++calls;
  return reinterpret_cast<OrtStatus*>(const_cast<FakeStatus*>(answer));
}
OrtErrorCode code_of(const OrtStatus* status) noexcept {
  return reinterpret_cast<const FakeStatus*>(status)->code;
}
const char* text_of(const OrtStatus* status) noexcept {
  return reinterpret_cast<const FakeStatus*>(status)->text;
}
void release(OrtStatus*) noexcept { ++released; }
OrtStatus* make_options(OrtSessionOptions** out) noexcept {
  static int object;
  *out = reinterpret_cast<OrtSessionOptions*>(&object);
  return nullptr;
}
void release_options(OrtSessionOptions*) noexcept { ++released; }

/// A table in which only a few slots can be called.
const OrtApi* fake_table() {
  static std::array<void*, 512> slots = [] {
    std::array<void*, 512> table{};
    table[fn::SessionEndProfiling.slot] = reinterpret_cast<void*>(&answering);
    table[fn::GetErrorCode.slot] = reinterpret_cast<void*>(&code_of);
    table[fn::GetErrorMessage.slot] = reinterpret_cast<void*>(&text_of);
    table[fn::ReleaseStatus.slot] = reinterpret_cast<void*>(&release);
    table[fn::CreateSessionOptions.slot] = reinterpret_cast<void*>(&make_options);
    table[fn::ReleaseSessionOptions.slot] = reinterpret_cast<void*>(&release_options);
    return table;
  }();
  return reinterpret_cast<const OrtApi*>(slots.data());
}

/// SessionEndProfiling, as if it had come with 1.24.
constexpr Function<OrtStatus*(OrtSession*, OrtAllocator*, char**)> kNew{fn::SessionEndProfiling.slot, 24,
                                                                        "NewThing"};

Result<void> call(const Api& api, const FakeStatus* returned) {
  calls = released = 0;
  answer = returned;
  return api.call(kNew, static_cast<OrtSession*>(nullptr), static_cast<OrtAllocator*>(nullptr),
                  static_cast<char**>(nullptr));
}

TEST(Api, RefusesAFunctionThatTheLoadedOrtLacksWithoutCallingIt) {
  const Api api(fake_table(), 23, "1.23.2");
  const auto done = call(api, nullptr);
  ASSERT_FALSE(done);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(done.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(done.error().what, AllOf(HasSubstr("1.23.2"), HasSubstr("`NewThing`"), HasSubstr("1.24")));
  EXPECT_THAT(done.error().hint, HasSubstr("1.24 or newer"));
  EXPECT_FALSE(api.has(kNew));
}

TEST(Api, CallsAFunctionFromTheVersionThatHasIt) {
  const Api api(fake_table(), 24, "1.24.1");
  EXPECT_TRUE(api.has(kNew));
  EXPECT_TRUE(call(api, nullptr));
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(released, 0);
}

TEST(Api, TurnsAStatusIntoAnErrorAndReleasesItOnce) {
  const Api api(fake_table(), 27, "1.27.0");
  const FakeStatus status{ORT_EP_FAIL, "Non-zero status code\nstack trace"};
  const auto done = call(api, &status);
  ASSERT_FALSE(done);
  EXPECT_EQ(released, 1);
  EXPECT_EQ(done.error().code, ErrorCode::ProviderFailed);
  EXPECT_EQ(done.error().what, "Non-zero status code") << "the first line";
  ASSERT_TRUE(done.error().native);
  EXPECT_EQ(done.error().native->code, ORT_EP_FAIL);
  EXPECT_EQ(done.error().native->text, "Non-zero status code\nstack trace") << "verbatim";
}

TEST(Api, ReleasesWhatItMadeWithTheOwner) {
  const Api api(fake_table(), 27, "1.27.0");
  released = 0;
  {
    auto options = make<OrtSessionOptions>(api, fn::CreateSessionOptions);
    ASSERT_TRUE(options);
    EXPECT_NE(options->get(), nullptr);
    const auto moved = std::move(*options);
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
}

TEST(Classify, GoesByOrtsCodeWhereTheTextSaysNothing) {
  const std::map<OrtErrorCode, ErrorCode> expected = {
      {ORT_FAIL, ErrorCode::RunFailed},
      {ORT_INVALID_ARGUMENT, ErrorCode::InvalidArgument},
      {ORT_NO_SUCHFILE, ErrorCode::NotFound},
      {ORT_NO_MODEL, ErrorCode::InvalidModel},
      {ORT_ENGINE_ERROR, ErrorCode::RunFailed},
      {ORT_RUNTIME_EXCEPTION, ErrorCode::RunFailed},
      {ORT_INVALID_PROTOBUF, ErrorCode::InvalidModel},
      {ORT_NOT_IMPLEMENTED, ErrorCode::Unsupported},
      {ORT_INVALID_GRAPH, ErrorCode::InvalidModel},
      {ORT_EP_FAIL, ErrorCode::ProviderFailed},
      {ORT_MODEL_LOAD_CANCELED, ErrorCode::Cancelled},
      {ORT_MODEL_REQUIRES_COMPILATION, ErrorCode::Unsupported},
      {ORT_NOT_FOUND, ErrorCode::NotFound},
      {static_cast<OrtErrorCode>(99), ErrorCode::RunFailed},
  };
  for (const auto& [code, wanted] : expected)
    EXPECT_EQ(classify(code, "something"), wanted) << "ORT code " << static_cast<int>(code);
}

TEST(Classify, LetsTheTextDecideBeforeTheCode) {
  struct {
    OrtErrorCode code;
    const char* text;
    ErrorCode wanted;
  } const cases[] = {
      {ORT_RUNTIME_EXCEPTION,
       "Non-zero status code returned while running Conv node. bfc_arena.cc: Failed to allocate memory for "
       "requested buffer of size 4096",
       ErrorCode::OutOfMemory},
      {ORT_FAIL, "CUDA failure 2: out of memory ; GPU=0", ErrorCode::OutOfMemory},
      {ORT_RUNTIME_EXCEPTION, "std::bad_alloc", ErrorCode::OutOfMemory},
      {ORT_FAIL, "Exiting due to terminate flag being set to true.", ErrorCode::Cancelled},
      {ORT_FAIL, "Unsupported model IR version: 99, max supported IR version: 11", ErrorCode::InvalidModel},
      {ORT_FAIL, "Fatal error: com.acme:Foo(-1) is not a registered function/op", ErrorCode::Unsupported},
      {ORT_NOT_IMPLEMENTED, "Could not find an implementation for Foo(1)", ErrorCode::Unsupported},
  };
  for (const auto& each : cases) EXPECT_EQ(classify(each.code, each.text), each.wanted) << each.text;
}

TEST(Api, LeavesOutOrtsSourceLocationAndKeepsItVerbatim) {
  const FakeStatus status{
      ORT_FAIL,
      "Load model from m.onnx failed:/onnxruntime_src/onnxruntime/core/graph/model.cc:256 "
      "onnxruntime::Model::Model(onnx::ModelProto&&, const Logger&) Unsupported model IR version: 99"};
  const Api api(fake_table(), 27, "1.27.0");
  const auto done = call(api, &status);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().what, "Load model from m.onnx failed:Unsupported model IR version: 99");
  EXPECT_EQ(done.error().native->text, status.text);
}

}  // namespace
}  // namespace surefoot::ort
