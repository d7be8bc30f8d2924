#include "session/dlpack_export.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace surefoot::session {
namespace {

/// The structure with all that it points to.
struct Held {
  dlpack::ManagedTensor managed;
  std::vector<std::int64_t> shape, strides;
  std::shared_ptr<const void> owner;
};

void let_go(dlpack::ManagedTensor* tensor) { delete static_cast<Held*>(tensor->context); }

struct TypeRow {
  ElementType type;
  dlpack::DataType as;
};
constexpr TypeRow kTypes[] = {
    {ElementType::Float32, {dlpack::TypeCode::Float, 32, 1}},
    {ElementType::Float64, {dlpack::TypeCode::Float, 64, 1}},
    {ElementType::Float16, {dlpack::TypeCode::Float, 16, 1}},
    {ElementType::BFloat16, {dlpack::TypeCode::Bfloat, 16, 1}},
    {ElementType::Int8, {dlpack::TypeCode::Int, 8, 1}},
    {ElementType::Int16, {dlpack::TypeCode::Int, 16, 1}},
    {ElementType::Int32, {dlpack::TypeCode::Int, 32, 1}},
    {ElementType::Int64, {dlpack::TypeCode::Int, 64, 1}},
    {ElementType::UInt8, {dlpack::TypeCode::UInt, 8, 1}},
    {ElementType::UInt16, {dlpack::TypeCode::UInt, 16, 1}},
    {ElementType::UInt32, {dlpack::TypeCode::UInt, 32, 1}},
    {ElementType::UInt64, {dlpack::TypeCode::UInt, 64, 1}},
    {ElementType::Bool, {dlpack::TypeCode::Bool, 8, 1}},
    {ElementType::Complex64, {dlpack::TypeCode::Complex, 64, 1}},
    {ElementType::Complex128, {dlpack::TypeCode::Complex, 128, 1}},
};

std::optional<dlpack::DataType> type_of(ElementType type) {
  for (const TypeRow& row : kTypes)
    if (row.type == type) return row.as;
  return std::nullopt;
}

std::vector<std::int64_t> strides_of(std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

}  // namespace

Result<dlpack::Exported> export_dlpack(DlpackSource source) {
  const auto type = type_of(source.type);
  if (!type)
    return fail({.code = ErrorCode::Unsupported,
                 .what = fmt::format("DLPack has no name for {}", to_string(source.type)),
                 .hint = "read it by a view instead"});
  auto held = std::make_unique<Held>();
  held->shape.assign(source.shape.begin(), source.shape.end());
  held->strides = strides_of(source.shape);
  held->owner = std::move(source.owner);
  held->managed = {.tensor = {.data = source.data,
                              .device = source.device,
                              .rank = static_cast<std::int32_t>(held->shape.size()),
                              .type = *type,
                              .shape = held->shape.data(),
                              .strides = held->strides.data(),
                              .offset_bytes = 0},
                   .context = held.get(),
                   .deleter = let_go};
  return dlpack::Exported(&held.release()->managed);
}

}  // namespace surefoot::session
