#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "runtime/stub_library.hpp"
#include "surefoot/provider.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/runtimes.hpp"
#include "tests/support/test_folder.hpp"

namespace surefoot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string why_not_cuda(const Runtime& runtime) {
  const std::vector<ProviderStatus> statuses = survey(runtime);
  const auto cuda = std::ranges::find(statuses, "cuda", &ProviderStatus::name);
  return cuda->absent_because ? to_string(*cuda->absent_because) : "";
}

TEST(SurveyOfRealRuntimes, SeesALibraryThatIsInstalledWhileTheProcessRuns) {
  const auto runtimes = tests::test_runtimes();
  const auto gpu = std::ranges::find(runtimes, "gpu", &tests::TestRuntime::flavour);
  if (gpu == runtimes.end()) GTEST_SKIP() << "no ONNX Runtime with CUDA to test with: run scripts/test";
  const auto runtime = Runtime::load({.library = gpu->library});
  ASSERT_TRUE(runtime) << to_string(runtime.error());
  const tests::TestFolder folder;
  const tests::EnvironmentVariable path("LD_LIBRARY_PATH", folder.path().string());
  ASSERT_THAT(why_not_cuda(*runtime), HasSubstr("libcublasLt.so"));
  for (const char* soname : {"libcublasLt.so.12", "libcublasLt.so.13"})
    runtime::write_stub(folder / soname, {.soname = soname});
  EXPECT_THAT(why_not_cuda(*runtime), Not(HasSubstr("libcublasLt.so")));
}

}  // namespace
}  // namespace surefoot
