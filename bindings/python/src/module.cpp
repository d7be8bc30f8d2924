/// The extension module `surefoot._core`: translation between Python and the library, and nothing else.
#define SUREFOOT_LOADS_NUMPY
#include "diagnosis.hpp"
#include "machine.hpp"
#include "measuring.hpp"
#include "model.hpp"
#include "numpy_api.hpp"
#include "options.hpp"
#include "plan.hpp"
#include "prepared.hpp"
#include "session.hpp"

namespace surefoot::python {
namespace {

int load_numpy() {
  import_array1(-1);
  return 0;
}

}  // namespace
}  // namespace surefoot::python

NB_MODULE(_core, module) {
  using namespace surefoot::python;
  nanobind::set_leak_warnings(
      false);  // objects that outlive the interpreter are its affair, and stderr is not ours
  if (load_numpy() != 0) throw nanobind::python_error();
  module.attr("__version__") = SUREFOOT_VERSION;
  bind_cache(module);
  bind_comparing(module);
  bind_diagnosis(module);
  bind_machine(module);
  bind_measuring(module);
  bind_model(module);
  bind_options(module);
  bind_compile(module);  // this one's options and the next three's hold those of a session
  bind_memory(module);
  bind_reporting(module);
  bind_tuning(module);
  bind_plan(module);
  bind_prepared(module);
  bind_session(module);
}
