/// Holds our declaration of ORT's ABI against the official header, line by line.
#include <gtest/gtest.h>

#include <cstddef>
#include <type_traits>
#include <vector>

#include "official.hpp"

namespace surefoot::abi_test {
namespace {

struct Comparison {
  std::string name;
  int our_slot;
  std::size_t official_slot;
  bool is_same;
  std::string our_signature;
  std::string official_signature;
};

template <class OfficialPointer, class Signature>
Comparison compare(const ort::Function<Signature>& row, std::size_t official_offset) {
  using Ours = typename Official<Signature>::type;
  using Theirs = typename Pointee<OfficialPointer>::type;
  return {
      row.name,          row.slot,           official_offset / sizeof(void*), std::is_same_v<Ours, Theirs>,
      type_name<Ours>(), type_name<Theirs>()};
}

std::vector<Comparison> all_rows() {
  return {
#define ORT_FUNCTION(slot, since, name, ...) \
  compare<decltype(::OrtApi::name)>(ort::fn::name, offsetof(::OrtApi, name)),
#include "ort/functions.def"
#undef ORT_FUNCTION
#define ORT_COMPILE_FUNCTION(slot, since, name, ...) \
  compare<decltype(::OrtCompileApi::name)>(ort::compile_fn::name, offsetof(::OrtCompileApi, name)),
#include "ort/compile_functions.def"
#undef ORT_COMPILE_FUNCTION
  };
}

template <class Ours, class Theirs>
constexpr bool same_signature =
    std::is_same_v<typename Official<typename Pointee<Ours>::type>::type, typename Pointee<Theirs>::type>;

TEST(Abi, PutsEachFunctionInItsOfficialSlot) {
  for (const Comparison& row : all_rows())
    EXPECT_EQ(static_cast<std::size_t>(row.our_slot), row.official_slot) << row.name;
}

TEST(Abi, GivesEachFunctionItsOfficialSignature) {
  for (const Comparison& row : all_rows())
    EXPECT_TRUE(row.is_same) << row.name << "\n  ours     " << row.our_signature << "\n  official "
                             << row.official_signature;
}

TEST(Abi, NumbersEachEnumeratorAsTheHeaderDoes) {
#define ENUMERATOR(name) EXPECT_EQ(static_cast<int>(ort::name), static_cast<int>(::name)) << #name;
#include "enumerators.def"
#undef ENUMERATOR
}

TEST(Abi, PassesEnumsInTheOfficialSize) {
#define ENUM(name) EXPECT_EQ(sizeof(ort::name), sizeof(::name)) << #name;
  ENUM(ExecutionMode)
  ENUM(GraphOptimizationLevel)
  ENUM(ONNXTensorElementDataType)
  ENUM(ONNXType)
  ENUM(OrtAllocatorType)
  ENUM(OrtErrorCode)
  ENUM(OrtHardwareDeviceType)
  ENUM(OrtLoggingLevel)
  ENUM(OrtMemType)
#undef ENUM
}

TEST(Abi, KnowsTheEntryTable) {
  EXPECT_EQ(offsetof(ort::OrtApiBase, GetApi), offsetof(::OrtApiBase, GetApi));
  EXPECT_EQ(offsetof(ort::OrtApiBase, GetVersionString), offsetof(::OrtApiBase, GetVersionString));
  EXPECT_TRUE((same_signature<decltype(ort::OrtApiBase::GetApi), decltype(::OrtApiBase::GetApi)>));
  EXPECT_TRUE((
      same_signature<decltype(ort::OrtApiBase::GetVersionString), decltype(::OrtApiBase::GetVersionString)>));
}

TEST(Abi, HandsOverALoggerOfTheOfficialSignature) {
  EXPECT_TRUE((same_signature<ort::OrtLoggingFunction, ::OrtLoggingFunction>));
}

TEST(Abi, CallsPathCharactersWhatTheHeaderDoes) {
  EXPECT_TRUE((std::is_same_v<ort::OrtPathChar, ORTCHAR_T>));
}

TEST(Abi, AsksForNoNewerTableThanThisHeaderHas) { EXPECT_LE(ort::kNewestApi, ORT_API_VERSION); }

}  // namespace
}  // namespace surefoot::abi_test
