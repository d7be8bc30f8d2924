#include "provider/presence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "runtime/stub_library.hpp"

namespace surefoot::provider {
namespace {

namespace fs = std::filesystem;
using runtime::StubLibrary;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kPackages = "/venv/lib/python3.11/site-packages";

/// A Linux machine that exists as a folder, with an ONNX Runtime that lists CUDA and WebGPU.
class CheckPresence : public testing::Test {
 protected:
  CheckPresence() {
    add_beside_ort("libonnxruntime.so.1.31.1");
    add_beside_ort("libonnxruntime_providers_shared.so");
  }
  void add(const fs::path& file, StubLibrary what = {}) {
    what.soname = file.filename().string();
    write_stub(folder_.path() / file.relative_path(), what);
  }
  void add_beside_ort(const std::string& name, StubLibrary what = {}) {
    add(ort_.parent_path() / name, std::move(what));
  }
  void add_cuda(std::vector<std::string> needed) {
    add_beside_ort("libonnxruntime_providers_cuda.so", {.needed = std::move(needed)});
  }
  Result<void> check(std::string_view provider, PlatformSet platform = kOnLinux) const {
    return check_presence(*find(provider), {.compiled_in = compiled_in_,
                                            .ort_library = ort_,
                                            .ort_version = version_,
                                            .paths = paths_,
                                            .platform = platform});
  }
  Error reason(std::string_view provider, PlatformSet platform = kOnLinux) const {
    auto checked = check(provider, platform);
    EXPECT_FALSE(checked);
    return checked ? Error{} : checked.error();
  }

  std::string version_ = "1.31.1";
  runtime::TestFolder folder_;
  fs::path ort_ = fs::path(kPackages) / "onnxruntime/capi/libonnxruntime.so.1.31.1";
  runtime::SearchPaths paths_{.root = folder_.path()};
  std::vector<std::string> compiled_in_{"CUDAExecutionProvider", "WebGpuExecutionProvider",
                                        "CPUExecutionProvider"};
};

TEST_F(CheckPresence, CpuIsPresent) { EXPECT_TRUE(check("cpu")); }

TEST_F(CheckPresence, AProviderWhoseLibrariesAllExistIsPresent) {
  add_cuda({"libcudart.so.13"});
  add("/usr/lib/libcudart.so.13");
  const auto checked = check("cuda");
  EXPECT_TRUE(checked) << to_string(checked.error());
}

TEST_F(CheckPresence, SaysThatThisOrtWasBuiltWithoutIt) {
  const Error error = reason("openvino");
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.what, "ONNX Runtime 1.31.1 was built without OpenVINO");
  EXPECT_THAT(error.hint, HasSubstr("pip install onnxruntime-openvino"));
}

TEST_F(CheckPresence, NamesThePluginBesideTheBuild) {
  EXPECT_THAT(reason("openvino").hint, AllOf(HasSubstr("pip install onnxruntime-openvino; or get its plugin"),
                                             HasSubstr("pip install onnxruntime-ep-openvino")));
}

TEST_F(CheckPresence, SaysWhichOrtIsTheFirstThatAddsIt) {
  version_ = "1.20.1";
  const Error error = reason("webgpu");
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.what, "ONNX Runtime 1.20.1 has WebGPU, and no function that adds it: 1.21 has one");
  EXPECT_EQ(error.hint, "use ONNX Runtime 1.21 or newer");
  version_ = "1.21.0";
  EXPECT_THAT(reason("webgpu").what, Not(HasSubstr("no function")));  // only its Vulkan is missing
}

TEST_F(CheckPresence, SaysWhichOrtWasTheLastThatCouldHaveIt) {
  EXPECT_EQ(reason("rocm").what,
            "ONNX Runtime 1.31.1 was built without ROCm: 1.22 was the last that could have it built in");
  version_ = "1.22.0";
  EXPECT_EQ(reason("rocm").what, "ONNX Runtime 1.22.0 was built without ROCm");
}

TEST_F(CheckPresence, SaysWhichPlatformsItExistsFor) {
  const Error error = reason("directml");
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.what, "DirectML exists for Windows only, this is Linux");
}

TEST_F(CheckPresence, NamesTheProvidersOwnLibraryWhenItIsNotBesideOrt) {
  const Error error = reason("cuda");
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_EQ(error.what, "`libonnxruntime_providers_cuda.so` is not beside `" + ort_.string() + "`");
}

TEST_F(CheckPresence, NamesTheBridgeWhenItIsNotBesideOrt) {
  add_cuda({});
  fs::remove(folder_.path() / ort_.parent_path().relative_path() / "libonnxruntime_providers_shared.so");
  EXPECT_THAT(reason("cuda").what, HasSubstr("`libonnxruntime_providers_shared.so` is not beside"));
}

TEST_F(CheckPresence, NamesEveryMissingLibraryAndItsPackage) {
  add_cuda({"libcublasLt.so.13", "libcudart.so.13", "libcuda.so.1"});
  const Error error = reason("cuda");
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_EQ(
      error.what,
      "`libonnxruntime_providers_cuda.so` needs `libcublasLt.so.13`, `libcudart.so.13`, `libcuda.so.1`, "
      "which the loader does not find");
  EXPECT_EQ(error.hint, "pip install nvidia-cublas nvidia-cuda-runtime, and install the NVIDIA driver");
}

TEST_F(CheckPresence, NamesTheWrongMajorThatIsThere) {
  add_cuda({"libcublasLt.so.13"});
  add("/usr/local/cuda-12.8/lib64/libcublasLt.so.12");
  EXPECT_THAT(reason("cuda").what,
              HasSubstr("`libcublasLt.so.13` (found `libcublasLt.so.12` in `/usr/local/cuda-12.8/lib64`)"));
}

TEST_F(CheckPresence, NamesTheFolderThatTheLoaderDoesNotLookInto) {
  add_cuda({"libcublas.so.13"});
  add(fs::path(kPackages) / "nvidia/cu13/lib/libcublas.so.13");
  const Error error = reason("cuda");
  EXPECT_THAT(error.what, HasSubstr(std::string("(it lies in `") + kPackages + "/nvidia/cu13/lib`, where"));
  EXPECT_EQ(error.hint,
            std::string("start the program with LD_LIBRARY_PATH=") + kPackages + "/nvidia/cu13/lib");
}

TEST_F(CheckPresence, AsksForTheLinkWhereALibraryLacksOnlyThat) {
  add_cuda({"libcudart.so.13"});
  add_beside_ort("libcudart.so.13.4.36");
  EXPECT_EQ(reason("cuda").hint,
            "link `libcudart.so.13` to `libcudart.so.13.4.36` in their folder, and start the program with "
            "LD_LIBRARY_PATH=" +
                ort_.parent_path().string());
}

TEST_F(CheckPresence, AsksForWhatIsNowhereFirst) {
  add_cuda({"libcublas.so.13", "libcudart.so.13"});
  add(fs::path(kPackages) / "nvidia/cu13/lib/libcublas.so.13");
  EXPECT_EQ(reason("cuda").hint, "pip install nvidia-cuda-runtime");
}

TEST_F(CheckPresence, SaysWhoWantsALibraryThatIsNeededFurtherDown) {
  add_cuda({"libcublas.so.13"});
  add("/usr/lib/libcublas.so.13", {.needed = {"libcublasLt.so.13"}});
  EXPECT_THAT(reason("cuda").what, HasSubstr("`libcublasLt.so.13` for `libcublas.so.13`"));
}

TEST_F(CheckPresence, NamesTheArchitectureOfAProvidersLibrary) {
  add_beside_ort("libonnxruntime_providers_cuda.so", {.machine = 8});
  const Error error = reason("cuda");
  EXPECT_EQ(error.code, ErrorCode::RuntimeUnavailable);
  EXPECT_THAT(error.what, HasSubstr("is built for mips"));
}

TEST_F(CheckPresence, NeedsTheLibrariesThatAProviderOpensByName) {
  const Error error = reason("webgpu");
  EXPECT_EQ(error.what, "WebGPU needs `libvulkan.so.1`, which the loader does not find");
  EXPECT_THAT(error.hint, HasSubstr("apt install libvulkan1"));
  EXPECT_TRUE(check("webgpu", kOnMacos)) << "macOS has Metal";
  add("/usr/lib/libvulkan.so.1");
  EXPECT_TRUE(check("webgpu"));
}

TEST_F(CheckPresence, ReadsLittleOfAHugeLibrary) {
  add_cuda({"libcudart.so.13"});
  const fs::path file =
      folder_.path() / ort_.parent_path().relative_path() / "libonnxruntime_providers_cuda.so";
  fs::resize_file(file, std::uintmax_t{8} << 30);  // sparse: it costs no disk
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(reason("cuda").what, HasSubstr("libcudart.so.13"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(500))
      << "it was read as a whole";
}

TEST_F(CheckPresence, PluginsAreCheckedByTheirLibraryAlone) {
  add("/opt/plugin/libep.so", {.needed = {"libQnnHtp.so"}});
  const auto checked = check_library("/opt/plugin/libep.so", paths_);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().what,
              AllOf(HasSubstr("`libep.so` needs `libQnnHtp.so`"), Not(HasSubstr("pip"))));
  EXPECT_EQ(checked.error().hint, "");
}

}  // namespace
}  // namespace surefoot::provider
