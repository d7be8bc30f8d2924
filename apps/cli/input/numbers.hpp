/// Numbers into and out of tensors of every element type.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "surefoot/tensor.hpp"

namespace surefoot::cli {

/// A number as text formats have it. Only what no std::int64_t holds is a std::uint64_t.
using Number = std::variant<std::int64_t, std::uint64_t, double>;

/// The shortest decimal that reads back as the same number: "3", "0.1", "nan", "-inf".
std::string number_text(const Number& number);

double to_double(const Number& number) noexcept;

/// Reads a whole text as a number: "-3", "1e-3", "nan", "inf", "-inf". Empty when it is none.
std::optional<Number> number_from_text(std::string_view text) noexcept;

bool is_integer(ElementType type) noexcept;  ///< signed or not, packed ones too; bool is none
bool is_floating(ElementType type) noexcept;
bool is_complex(ElementType type) noexcept;

/// Whether an element of `type` can stand for `number`. Integers and bools must be met exactly;
/// floating-point elements may round it, but what lies beyond their largest value does not fit.
/// Complex types take the parts one by one. Errors: InvalidInput, which names number and type.
Result<void> check_number(ElementType type, const Number& number);

/// A tensor of `numbers`, row-major; complex elements take two each, the real part first.
/// Errors: InvalidInput (a number does not fit, or their count does not), OutOfMemory.
Result<Tensor> tensor_of_numbers(ElementType type, Shape shape, std::span<const Number> numbers);

/// The elements of a tensor of numbers or bools; complex ones give two each. Empty for strings.
std::vector<Number> numbers_of(const Tensor& tensor);

}  // namespace surefoot::cli
