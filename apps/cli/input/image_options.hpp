/// How an image becomes a tensor: what is asked for, filled up from what the model declares.
#pragma once

#include <vector>

#include "apps/cli/input/spec_options.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::cli {

/// Where the axes of an image stand. Flat: [pixels] or [1,pixels], row by row.
enum class ImageLayout { Nchw, Nhwc, Chw, Hwc, Nhw, Hw, NFlat, Flat };

struct ImageOptions {
  ImageLayout layout = ImageLayout::Nchw;
  int channels = 3;  ///< 1, 3 or 4
  int width = 0;     ///< 0: as the image has it
  int height = 0;
  bool blue_first = false;
  double scale = 1;
  std::vector<double> mean = {};  ///< one for each channel
  std::vector<double> deviation = {};
};

/// Options that are given win; the rest follows from the declared type.
/// Errors: InvalidArgument (an option unknown or with a bad value, a declared shape that no layout fits).
Result<ImageOptions> image_options(const SpecOptions& given, const ValueType& declared);

}  // namespace surefoot::cli
