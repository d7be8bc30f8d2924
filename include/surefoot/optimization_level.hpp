/// How far ONNX Runtime rewrites a model's graph when it opens it.
#pragma once

#include <string_view>

namespace surefoot {

enum class OptimizationLevel { Disabled, Basic, Extended, Layout, All };

/// "disabled", "basic", "extended", "layout", "all".
std::string_view to_string(OptimizationLevel level) noexcept;

}  // namespace surefoot
