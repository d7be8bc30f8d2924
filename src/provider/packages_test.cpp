#include "provider/packages.hpp"

#include <gtest/gtest.h>

namespace surefoot::provider {
namespace {

using Names = std::vector<std::string>;

TEST(CudaMajor, ComesFromTheLibrariesWhoseNumberIsCudas) {
  EXPECT_EQ(cuda_major(Names{"libcurand.so.10", "libcudart.so.13"}), 13);
  EXPECT_EQ(cuda_major(Names{"libcublasLt.so.12"}), 12);
  EXPECT_EQ(cuda_major(Names{"libcudnn.so.9", "libc.so.6"}), 0);
}

TEST(HowToGet, GathersPipPackagesIntoOneCommand) {
  const Names missing{"libcublasLt.so.13", "libcublas.so.13", "libcudart.so.13", "libcuda.so.1"};
  EXPECT_EQ(how_to_get(missing, 13),
            "pip install nvidia-cublas nvidia-cuda-runtime, and install the NVIDIA driver");
}

TEST(HowToGet, FollowsTheCudaGeneration) {
  const Names missing{"libcudart.so.12", "libcudnn.so.9"};
  EXPECT_EQ(how_to_get(missing, 12), "pip install nvidia-cuda-runtime-cu12 nvidia-cudnn-cu12");
  EXPECT_EQ(how_to_get(Names{"libcudnn.so.9"}, 13), "pip install nvidia-cudnn-cu13");
}

TEST(HowToGet, PinsTensorRtToTheMajorThatIsNeeded) {
  EXPECT_EQ(how_to_get(Names{"libnvinfer.so.10", "libnvonnxparser.so.10"}, 13),
            "pip install \"tensorrt-cu13==10.*\"");
}

TEST(HowToGet, SaysNothingAboutLibrariesThatItDoesNotKnow) {
  EXPECT_EQ(how_to_get(Names{"libfoo.so.1"}, 0), "");
  EXPECT_EQ(how_to_get(Names{}, 0), "");
}

}  // namespace
}  // namespace surefoot::provider
