/// Images (PNG, JPEG, BMP) as model inputs.
///
/// Options   layout=nchw|nhwc|chw|hwc|nhw|hw|nflat|flat   where the axes stand (n: a batch of one)
///           size=WIDTHxHEIGHT    stretched to it; else to the declared size; else unchanged
///           channels=1|3|4       1 (or `grey`) is the luminance; alpha is dropped, not blended
///           order=rgb|bgr        of the channels
///           scale=, mean=, std=  value = (byte * scale - mean) / std, the last two for each channel
/// Defaults  from the declared type: [1,3,H,W] is nchw, [N,H,W,3] nhwc, [N,1,8,8] grey, [N,64] an
///           8x8 grey image row by row. scale is 1/255 for floating-point elements, 1 for integers.
/// Rotation marks in JPEG files (EXIF) are not followed.
#pragma once

#include "apps/cli/input/spec_options.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::cli {

/// The image as a tensor of the declared element type (float32 where it is Undefined). Integers
/// are rounded to nearest; a value outside their range is an error.
/// Errors: InvalidInput (undecodable, or a value does not fit), InvalidArgument (options).
Result<Tensor> read_image(std::span<const std::byte> bytes, const SpecOptions& given,
                          const ValueType& declared);

}  // namespace surefoot::cli
