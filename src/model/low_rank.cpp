#include "model/low_rank.hpp"

#include <fmt/format.h>

#include "model/numbers.hpp"

namespace surefoot::model {
namespace {

/// A tensor as a matrix: the first axis, and all others together.
struct Sizes {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
};

Sizes sizes_of(std::span<const std::int64_t> shape) {
  if (shape.empty()) return {1, 1};
  return {static_cast<std::uint64_t>(shape[0]), element_count(shape.subspan(1)).value_or(0)};
}

bool is_real(ElementType type) {
  switch (type) {
    case ElementType::Float16:
    case ElementType::BFloat16:
    case ElementType::Float32:
    case ElementType::Float64:
      return true;
    default:
      return false;
  }
}

template <class Wide>
std::vector<Wide> widened(const Tensor& tensor) {
  std::vector<Wide> values;
  visit_number_type(tensor.type(), [&]<class T>(std::type_identity<T>) {
    values.reserve(tensor.bytes().size() / sizeof(T));
    for (std::size_t i = 0; i < tensor.bytes().size() / sizeof(T); ++i)
      values.push_back(static_cast<Wide>(number(element_at<T>(tensor.bytes(), i))));
  });
  return values;
}

template <class T, class Wide>
T narrowed(Wide value) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(value);
  else
    return T(static_cast<float>(value));
}

/// One row of A · B after the other, so that B is read in the order in which it lies.
template <class T, class Wide>
void add_rows(MutableTensorView weight, const LowRankDelta& delta) {
  const std::vector<Wide> a = widened<Wide>(delta.a), b = widened<Wide>(delta.b);
  const auto [rows, rank] = sizes_of(delta.a.shape());
  const std::size_t columns = sizes_of(delta.b.shape()).columns;
  const auto scale = static_cast<Wide>(delta.scale);
  std::vector<Wide> sums(columns);
  for (std::size_t row = 0; row < rows; ++row) {
    std::fill(sums.begin(), sums.end(), Wide{0});
    for (std::size_t k = 0; k < rank; ++k) {
      const Wide factor = a[row * rank + k];
      const Wide* line = b.data() + k * columns;
      for (std::size_t column = 0; column < columns; ++column) sums[column] += factor * line[column];
    }
    std::byte* to = weight.bytes.data() + row * columns * sizeof(T);
    for (std::size_t column = 0; column < columns; ++column, to += sizeof(T)) {
      const auto before = static_cast<Wide>(number(element_at<T>({to, sizeof(T)}, 0)));
      const T after = narrowed<T>(before + scale * sums[column]);
      std::memcpy(to, &after, sizeof(T));
    }
  }
}

}  // namespace

Result<void> check_delta(const std::string& name, const TensorView& weight, const LowRankDelta& delta) {
  if (!is_real(weight.type) || !is_real(delta.a.type()) || !is_real(delta.b.type()))
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("a delta of {} and {} cannot be added to weight `{}` of {}",
                                     to_string(delta.a.type()), to_string(delta.b.type()), name,
                                     to_string(weight.type)),
                 .hint = "give float16, bfloat16, float32 or float64"});
  const Sizes w = sizes_of(weight.shape), a = sizes_of(delta.a.shape()), b = sizes_of(delta.b.shape());
  if (a.rows == w.rows && b.columns == w.columns && a.columns == b.rows) return {};
  return fail(
      {.code = ErrorCode::InvalidArgument,
       .what = fmt::format("weight `{}` is {}: a delta of [{},r] and [r,{}] is wanted, {} and {} came", name,
                           to_string(weight.shape), w.rows, w.columns, to_string(delta.a.shape()),
                           to_string(delta.b.shape())),
       .hint = "check the order of A and B, and whether the weight is stored transposed"});
}

void add_delta(MutableTensorView weight, const LowRankDelta& delta) {
  switch (weight.type) {
    case ElementType::Float16:
      return add_rows<Float16, float>(weight, delta);
    case ElementType::BFloat16:
      return add_rows<BFloat16, float>(weight, delta);
    case ElementType::Float32:
      return add_rows<float, float>(weight, delta);
    default:
      return add_rows<double, double>(weight, delta);
  }
}

}  // namespace surefoot::model
