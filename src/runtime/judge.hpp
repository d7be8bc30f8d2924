/// Whether a file is an ONNX Runtime that can be used here.
#pragma once

#include "ort/library.hpp"
#include "runtime/places.hpp"

namespace surefoot::runtime {

/// Looks at the file, then loads it. Errors: RuntimeUnavailable, naming the path, what is wrong and the
/// remedy: absent, unreadable, a folder, not a library, another machine's, one that needs a newer
/// glibc, not an ORT, too old.
Result<ort::Library> open_checked(const std::filesystem::path& path);

/// The verdict on one place, with version and providers where it could be opened.
RuntimeFound judge(const Place& place);

}  // namespace surefoot::runtime
