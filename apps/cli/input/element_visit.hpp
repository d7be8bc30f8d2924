/// From an element type known at run time to the C++ type that holds one element.
#pragma once

#include <type_traits>

#include "surefoot/tensor.hpp"

namespace surefoot::cli {

/// Calls `visit(std::type_identity<T>{})` with the type of `type`'s elements. Complex types count
/// as pairs of their parts. Returns false, and calls nothing, for strings, packed types, Undefined.
template <class Visit>
bool visit_element_type(ElementType type, Visit&& visit) {
  switch (type) {
    case ElementType::Bool:
      return visit(std::type_identity<bool>{}), true;
    case ElementType::Int8:
      return visit(std::type_identity<std::int8_t>{}), true;
    case ElementType::Int16:
      return visit(std::type_identity<std::int16_t>{}), true;
    case ElementType::Int32:
      return visit(std::type_identity<std::int32_t>{}), true;
    case ElementType::Int64:
      return visit(std::type_identity<std::int64_t>{}), true;
    case ElementType::UInt8:
      return visit(std::type_identity<std::uint8_t>{}), true;
    case ElementType::UInt16:
      return visit(std::type_identity<std::uint16_t>{}), true;
    case ElementType::UInt32:
      return visit(std::type_identity<std::uint32_t>{}), true;
    case ElementType::UInt64:
      return visit(std::type_identity<std::uint64_t>{}), true;
    case ElementType::Complex64:
    case ElementType::Float32:
      return visit(std::type_identity<float>{}), true;
    case ElementType::Complex128:
    case ElementType::Float64:
      return visit(std::type_identity<double>{}), true;
    case ElementType::Float16:
      return visit(std::type_identity<Float16>{}), true;
    case ElementType::BFloat16:
      return visit(std::type_identity<BFloat16>{}), true;
    case ElementType::Float8E4M3FN:
      return visit(std::type_identity<Float8E4M3FN>{}), true;
    case ElementType::Float8E4M3FNUZ:
      return visit(std::type_identity<Float8E4M3FNUZ>{}), true;
    case ElementType::Float8E5M2:
      return visit(std::type_identity<Float8E5M2>{}), true;
    case ElementType::Float8E5M2FNUZ:
      return visit(std::type_identity<Float8E5M2FNUZ>{}), true;
    case ElementType::Float8E8M0:
      return visit(std::type_identity<Float8E8M0>{}), true;
    default:
      return false;
  }
}

}  // namespace surefoot::cli
