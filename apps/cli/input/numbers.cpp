#include "apps/cli/input/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "apps/cli/input/element_visit.hpp"

namespace surefoot::cli {
namespace {

struct IntegerRange {
  std::int64_t min;
  std::uint64_t max;
};

std::optional<IntegerRange> integer_range(ElementType type) {
  const int bits = element_bits(type);
  switch (type) {
    case ElementType::Bool:
      return IntegerRange{0, 1};
    case ElementType::Int2:
    case ElementType::Int4:
    case ElementType::Int8:
    case ElementType::Int16:
    case ElementType::Int32:
    case ElementType::Int64: {
      const std::uint64_t max = (std::uint64_t{1} << (bits - 1)) - 1;
      return IntegerRange{-static_cast<std::int64_t>(max) - 1, max};
    }
    case ElementType::UInt2:
    case ElementType::UInt4:
    case ElementType::UInt8:
    case ElementType::UInt16:
    case ElementType::UInt32:
    case ElementType::UInt64:
      return IntegerRange{0, std::numeric_limits<std::uint64_t>::max() >> (64 - bits)};
    default:
      return std::nullopt;
  }
}

struct FloatLimits {
  double largest;
  bool infinity;
  bool nan;
};

std::optional<FloatLimits> float_limits(ElementType type) {
  switch (type) {
    case ElementType::Complex64:
    case ElementType::Float32:
      return FloatLimits{std::numeric_limits<float>::max(), true, true};
    case ElementType::Complex128:
    case ElementType::Float64:
      return FloatLimits{std::numeric_limits<double>::max(), true, true};
    case ElementType::Float16:
      return FloatLimits{65504, true, true};
    case ElementType::BFloat16:
      return FloatLimits{0x1.fep127, true, true};
    case ElementType::Float8E4M3FN:
      return FloatLimits{448, false, true};
    case ElementType::Float8E4M3FNUZ:
      return FloatLimits{240, false, true};
    case ElementType::Float8E5M2:
      return FloatLimits{57344, true, true};
    case ElementType::Float8E5M2FNUZ:
      return FloatLimits{57344, false, true};
    case ElementType::Float8E8M0:
      return FloatLimits{0x1p127, false, true};
    case ElementType::Float4E2M1:
      return FloatLimits{6, false, false};
    default:
      return std::nullopt;
  }
}

/// The number as a whole one, when it is one that 64 bits hold.
std::optional<Number> whole(const Number& number) {
  const double* real = std::get_if<double>(&number);
  if (real == nullptr) return number;
  if (std::trunc(*real) != *real || !(*real >= -0x1p63 && *real < 0x1p64)) return std::nullopt;
  if (*real < 0x1p63) return Number(static_cast<std::int64_t>(*real));
  return Number(static_cast<std::uint64_t>(*real));
}

bool within(const Number& number, const IntegerRange& range) {
  if (const auto* large = std::get_if<std::uint64_t>(&number)) return *large <= range.max;
  const auto value = std::get<std::int64_t>(number);
  return value < 0 ? value >= range.min : static_cast<std::uint64_t>(value) <= range.max;
}

Failure does_not_fit(ElementType type, const Number& number, std::string_view why) {
  return fail({.code = ErrorCode::InvalidInput,
               .what = fmt::format("{} does not fit {}: {}", number_text(number), to_string(type), why)});
}

Result<void> check_integer(ElementType type, const Number& number, const IntegerRange& range) {
  const std::string holds = fmt::format("it holds whole numbers from {} to {}", range.min, range.max);
  const auto integer = whole(number);
  if (!integer || !within(*integer, range)) return does_not_fit(type, number, holds);
  return {};
}

Result<void> check_floating(ElementType type, const Number& number, const FloatLimits& limits) {
  const double value = to_double(number);
  if (std::isnan(value) && !limits.nan) return does_not_fit(type, number, "it has no NaN");
  if (std::isinf(value) && !limits.infinity) return does_not_fit(type, number, "it has no infinity");
  if (std::isfinite(value) && std::abs(value) > limits.largest)
    return does_not_fit(type, number, fmt::format("its largest value is {}", limits.largest));
  if (type == ElementType::Float8E8M0 && std::isfinite(value) &&
      static_cast<double>(static_cast<float>(Float8E8M0(static_cast<float>(value)))) != value)
    return does_not_fit(type, number, "it holds only powers of two");
  return {};
}

/// To float, such that a second rounding to fewer bits gives what one rounding would have given:
/// an inexact result takes the neighbour whose last bit is set ("round to odd").
float narrow_once(double value) {
  const auto nearest = static_cast<float>(value);
  const auto back = static_cast<double>(nearest);
  if (back == value || !std::isfinite(nearest) || (std::bit_cast<std::uint32_t>(nearest) & 1U))
    return nearest;
  const float end = std::numeric_limits<float>::infinity();
  return std::nextafter(nearest, value > back ? end : -end);
}

template <class T>
T converted(const Number& number) {
  if constexpr (std::is_integral_v<T>) {
    return std::visit([](auto held) { return static_cast<T>(held); }, *whole(number));
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(to_double(number));
  } else {
    return T(narrow_once(to_double(number)));
  }
}

template <class T>
std::vector<T> all_converted(std::span<const Number> numbers) {
  std::vector<T> made;
  made.reserve(numbers.size());
  for (const Number& number : numbers) made.push_back(converted<T>(number));
  return made;
}

std::vector<std::byte> packed_bytes(ElementType type, std::span<const Number> numbers) {
  switch (type) {
    case ElementType::Int4:
      return pack_int4(all_converted<std::int8_t>(numbers));
    case ElementType::UInt4:
      return pack_uint4(all_converted<std::uint8_t>(numbers));
    case ElementType::Int2:
      return pack_int2(all_converted<std::int8_t>(numbers));
    case ElementType::UInt2:
      return pack_uint2(all_converted<std::uint8_t>(numbers));
    case ElementType::Float4E2M1:
      return pack_float4e2m1(all_converted<float>(numbers));
    default:
      return {};
  }
}

template <class T>
Number as_number(T value) {
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return value;
    return static_cast<std::int64_t>(value);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<std::int64_t>(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<double>(value);
  } else {
    return static_cast<double>(static_cast<float>(value));
  }
}

template <class Values>
std::vector<Number> all_numbers(const Values& values) {
  std::vector<Number> numbers;
  numbers.reserve(values.size());
  for (auto value : values) numbers.push_back(as_number(value));
  return numbers;
}

std::vector<Number> packed_numbers(const Tensor& tensor) {
  const std::size_t count = element_count(tensor.shape()).value_or(0);
  switch (tensor.type()) {
    case ElementType::Int4:
      return all_numbers(unpack_int4(tensor.bytes(), count));
    case ElementType::UInt4:
      return all_numbers(unpack_uint4(tensor.bytes(), count));
    case ElementType::Int2:
      return all_numbers(unpack_int2(tensor.bytes(), count));
    case ElementType::UInt2:
      return all_numbers(unpack_uint2(tensor.bytes(), count));
    case ElementType::Float4E2M1:
      return all_numbers(unpack_float4e2m1(tensor.bytes(), count));
    default:
      return {};
  }
}

}  // namespace

std::string number_text(const Number& number) {
  return std::visit([](auto held) { return fmt::format("{}", held); }, number);
}

double to_double(const Number& number) noexcept {
  return std::visit([](auto held) { return static_cast<double>(held); }, number);
}

std::optional<Number> number_from_text(std::string_view text) noexcept {
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto read = [&](auto value) -> std::optional<Number> {
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    if (text.empty() || stop != end || code != std::errc()) return std::nullopt;
    return Number(value);
  };
  if (const auto integer = read(std::int64_t{})) return integer;
  if (const auto large = read(std::uint64_t{})) return large;
  return read(double{});
}

bool is_integer(ElementType type) noexcept { return type != ElementType::Bool && integer_range(type); }
bool is_floating(ElementType type) noexcept { return !is_complex(type) && float_limits(type); }
bool is_complex(ElementType type) noexcept {
  return type == ElementType::Complex64 || type == ElementType::Complex128;
}

Result<void> check_number(ElementType type, const Number& number) {
  if (const auto range = integer_range(type)) return check_integer(type, number, *range);
  if (const auto limits = float_limits(type)) return check_floating(type, number, *limits);
  return does_not_fit(type, number, "it holds no numbers");
}

Result<Tensor> tensor_of_numbers(ElementType type, Shape shape, std::span<const Number> numbers) {
  for (const Number& number : numbers)
    if (auto fits = check_number(type, number); !fits) return fail(std::move(fits).error());
  std::vector<std::byte> bytes;
  const bool whole_bytes = visit_element_type(type, [&]<class T>(std::type_identity<T>) {
    bytes.resize(numbers.size() * sizeof(T));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const T value = converted<T>(numbers[i]);
      std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
  });
  if (!whole_bytes) bytes = packed_bytes(type, numbers);
  return Tensor::from_bytes(type, std::move(shape), bytes);
}

std::vector<Number> numbers_of(const Tensor& tensor) {
  std::vector<Number> numbers;
  const bool whole_bytes = visit_element_type(tensor.type(), [&]<class T>(std::type_identity<T>) {
    numbers.resize(tensor.bytes().size() / sizeof(T));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      T value;
      std::memcpy(&value, tensor.bytes().data() + i * sizeof(T), sizeof(T));
      numbers[i] = as_number(value);
    }
  });
  return whole_bytes ? numbers : packed_numbers(tensor);
}

}  // namespace surefoot::cli
