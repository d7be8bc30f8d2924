#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "diagnosis.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "model_source.hpp"
#include "names.hpp"
#include "outputs.hpp"
#include "session.hpp"
#include "surefoot/bisect.hpp"
#include "surefoot/sample_inputs.hpp"

namespace surefoot::python {
namespace {

namespace fs = std::filesystem;

/// (absolute, relative, of the largest)
using Tolerances = std::optional<std::tuple<double, double, double>>;

std::optional<Tolerance> tolerance_of(const Tolerances& given) {
  if (!given) return {};
  return std::make_from_tuple<Tolerance>(*given);
}

nb::dict to_dict(const TensorDifference& difference) {
  nb::dict made;
  made["mismatch"] = difference.mismatch;
  made["type"] = text(to_string(difference.type));
  made["elements"] = difference.elements;
  made["max_absolute"] = difference.max_absolute;
  made["max_relative"] = difference.max_relative;
  made["worst"] = difference.worst;
  made["worst_one"] = difference.worst_one;
  made["worst_other"] = difference.worst_other;
  made["cosine"] = difference.cosine;
  nb::dict ulps;
  for (std::size_t i = 0; i < kUlpBins; ++i) ulps[text(kUlpBinNames[i])] = difference.ulps[i];
  made["ulps"] = ulps;
  made["nan"] = std::pair(difference.nan_one, difference.nan_other);
  made["infinite"] = std::pair(difference.infinite_one, difference.infinite_other);
  made["beyond"] = difference.beyond;
  made["within"] = difference.within();
  made["text"] = to_string(difference);
  return made;
}

nb::list compare(nb::handle one, nb::handle other, nb::dict feed, const Tolerances& tolerance) {
  const Session first = session_of(one), second = session_of(other);
  const CallInputs inputs(first.info(), std::move(feed));
  return to_list(
      waiting([&] { return compare_sessions(first, second, inputs.inputs(), tolerance_of(tolerance)); }));
}

nb::object to_tuple(const std::optional<Departure>& departure) {
  if (!departure) return nb::none();
  nb::list inputs;
  for (const InputRange& each : departure->inputs)
    inputs.append(nb::make_tuple(each.name, each.type, each.least, each.most, each.nan_count));
  return nb::make_tuple(departure->value, departure->node, departure->op, to_dict(departure->difference),
                        inputs);
}

nb::tuple locate(const fs::path& model, const SessionOptions& one, const SessionOptions& other, nb::dict feed,
                 const Tolerances& tolerance) {
  const ModelInfo info = waiting([&] { return inspect(model); });
  const CallInputs inputs(info, std::move(feed));
  const Location found = waiting([&] {
    return locate_departure({model, one, other, inputs.inputs(), tolerance_of(tolerance)});
  });
  return nb::make_tuple(to_tuple(found.departure), found.values, found.looked_at);
}

nb::tuple bisect(const fs::path& model, const SessionOptions& options, nb::dict feed,
                 const Tolerances& tolerance) {
  const ModelInfo info = waiting([&] { return inspect(model); });
  const CallInputs inputs(info, std::move(feed));
  const Bisection found = waiting([&] {
    return bisect_optimizer({model, options, inputs.inputs(), tolerance_of(tolerance)});
  });
  return nb::make_tuple(text(to_string(found.symptom)), found.what, text(to_string(found.fails_at)),
                        text(to_string(found.works_at)), found.rules, found.tried, found.entry());
}

std::vector<ValueInfo> inputs_of(nb::handle of) {
  if (!PyBytes_Check(of.ptr()) && !PyUnicode_Check(of.ptr())) return session_of(of).info().inputs;
  const ModelSource source(nb::borrow(of));
  return waiting([&] { return source.bytes() ? inspect(*source.bytes()) : inspect(source.path()); }).inputs;
}

nb::dict made_up(nb::handle of, std::uint64_t seed, const std::map<std::string, std::int64_t>& dimensions,
                 std::int64_t scale) {
  const auto wanted = inputs_of(of);
  const SampleOptions options{.seed = seed, .dimensions = dimensions, .scale = scale};
  auto made = waiting([&] { return sample_inputs(wanted, options); });
  nb::dict arrays;
  for (SampleInput& each : made) arrays[each.name.c_str()] = to_python(std::move(each.tensor));
  return arrays;
}

}  // namespace

nb::list to_list(const Comparison& comparison) {
  nb::list list;
  for (const NamedDifference& each : comparison.outputs)
    list.append(nb::make_tuple(each.name, to_dict(each.difference)));
  return list;
}

void bind_comparing(nb::module_& module) {
  module.def("compare", compare, nb::arg("one"), nb::arg("other"), nb::arg("feed"),
             nb::arg("tolerance").none());
  module.def("locate", locate, nb::arg("model"), nb::arg("one"), nb::arg("other"), nb::arg("feed"),
             nb::arg("tolerance").none());
  module.def("bisect", bisect, nb::arg("model"), nb::arg("options"), nb::arg("feed"),
             nb::arg("tolerance").none());
  module.def("sample_inputs", made_up, nb::arg("model"), nb::arg("seed"), nb::arg("dimensions"),
             nb::arg("scale"));
}

}  // namespace surefoot::python
