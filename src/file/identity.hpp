/// Which file stands under a name, and since when it has its content.
#pragma once

#include <cstdint>
#include <filesystem>

#include "surefoot/result.hpp"

namespace surefoot::file {

struct Identity {
  std::uint64_t device = 0;
  std::uint64_t number = 0;  ///< inode
  std::uint64_t bytes = 0;
  std::int64_t changed_ns = 0;  ///< time of the last change of the content, since 1970

  bool operator==(const Identity&) const = default;
};

/// Links are followed. Errors: NotFound; IoFailed with the system's reason.
Result<Identity> identity_of(const std::filesystem::path& path);

}  // namespace surefoot::file
