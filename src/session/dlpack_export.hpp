/// Making DLPack's structures of memory that somebody keeps alive.
#pragma once

#include <memory>
#include <span>

#include "surefoot/dlpack.hpp"
#include "surefoot/result.hpp"
#include "surefoot/tensor.hpp"

namespace surefoot::session {

struct DlpackSource {
  void* data;
  dlpack::Device device;
  ElementType type;
  std::span<const std::int64_t> shape;
  std::shared_ptr<const void> owner;  ///< null for memory of the caller's
};

/// Errors: Unsupported for an element type that DLPack has no name for.
Result<dlpack::Exported> export_dlpack(DlpackSource source);

}  // namespace surefoot::session
