#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "model/numbers.hpp"
#include "surefoot/weights.hpp"

namespace surefoot {
namespace {

/// Adds numbers up; the mean is that of the finite ones.
struct Sum {
  WeightStatistics result = {.least = std::numeric_limits<double>::infinity(),
                             .most = -std::numeric_limits<double>::infinity()};
  double total = 0;
  std::uint64_t finite = 0;

  void add(double value) {
    ++result.count;
    if (std::isnan(value)) {
      ++result.nan_count;
      return;
    }
    result.least = std::min(result.least, value);
    result.most = std::max(result.most, value);
    if (!std::isfinite(value)) {
      ++result.infinite_count;
      return;
    }
    total += value;
    ++finite;
  }
  WeightStatistics finish() {
    if (result.count == result.nan_count) result.least = result.most = std::nan("");
    result.mean = finite == 0 ? std::nan("") : total / static_cast<double>(finite);
    return result;
  }
};

/// Adds the numbers of types below a byte; false for all others.
bool add_packed(const TensorView& tensor, std::size_t count, Sum& sum) {
  const auto add_all = [&](const auto& values) {
    for (const auto value : values) sum.add(static_cast<double>(value));
    return true;
  };
  switch (tensor.type) {
    case ElementType::Int4:
      return add_all(unpack_int4(tensor.bytes, count));
    case ElementType::UInt4:
      return add_all(unpack_uint4(tensor.bytes, count));
    case ElementType::Int2:
      return add_all(unpack_int2(tensor.bytes, count));
    case ElementType::UInt2:
      return add_all(unpack_uint2(tensor.bytes, count));
    case ElementType::Float4E2M1:
      return add_all(unpack_float4e2m1(tensor.bytes, count));
    default:
      return false;
  }
}

}  // namespace

Result<WeightStatistics> statistics(const TensorView& tensor) {
  const auto count = element_count(tensor.shape);
  const auto bytes = count ? storage_bytes(tensor.type, *count) : std::nullopt;
  if (!bytes || *bytes != tensor.bytes.size())
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("{}{} does not take {} bytes", to_string(tensor.type),
                                     to_string(tensor.shape), tensor.bytes.size())});
  Sum sum;
  const bool added = model::visit_number_type(tensor.type, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < *count; ++i) sum.add(model::number(model::element_at<T>(tensor.bytes, i)));
  });
  if (added || add_packed(tensor, *count, sum)) return sum.finish();
  return fail(
      {.code = ErrorCode::Unsupported,
       .what = fmt::format("elements of type {} have no smallest and largest", to_string(tensor.type))});
}

}  // namespace surefoot
