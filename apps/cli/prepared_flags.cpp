#include "apps/cli/prepared_flags.hpp"

#include <algorithm>
#include <array>

namespace surefoot::cli {
namespace {

constexpr std::array<std::string_view, 3> kGraphModes = {"off", "try", "require"};

constexpr Flag kPreparedFlags[] = {
    {.name = "prepared",
     .help = "bind inputs and outputs to memory once, and run on that",
     .details = "What a program does that runs one shape over and over: no allocation and no copy per run."},
    {.name = "graph",
     .value = "MODE",
     .help = "with --prepared: capture what the provider does as a graph, and replay it",
     .details =
         "`try` runs plainly where that cannot be done, and says why; `require` fails then. CUDA, TensorRT, "
         "TensorRT RTX, DirectML, ROCm and WebGPU capture graphs of models that run on them as a whole.",
     .choices = kGraphModes},
};

}  // namespace

std::span<const Flag> prepared_flags() { return kPreparedFlags; }

Result<GraphCapture> graph_capture_from(const Parsed& parsed) {
  if (!parsed.has("graph")) return GraphCapture::Off;
  if (!parsed.has("prepared"))
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = "`--graph` is for prepared runs",
                 .hint = "add `--prepared`"});
  return static_cast<GraphCapture>(std::ranges::find(kGraphModes, parsed.value("graph")) -
                                   kGraphModes.begin());
}

}  // namespace surefoot::cli
