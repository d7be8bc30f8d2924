#include "events.hpp"

#include <nanobind/stl/string.h>

#include <memory>

#include "errors.hpp"
#include "names.hpp"

namespace surefoot::python {
namespace {

/// A callable that any thread may let go. Throws a TypeError for what cannot be called, before it would be.
std::shared_ptr<nb::object> shared(nb::object object) {
  if (PyCallable_Check(object.ptr()) == 0)
    throw nb::type_error(
        ("a callback is to be called, and " + nb::cast<std::string>(nb::repr(object)) + " cannot be")
            .c_str());
  return {new nb::object(std::move(object)), [](nb::object* held) {
            if (!nb::is_alive()) return;
            const nb::gil_scoped_acquire gil;
            delete held;
          }};
}

template <class Body>
void call_python(Body&& body) noexcept {
  if (!nb::is_alive()) return;
  const nb::gil_scoped_acquire gil;
  try {
    body();
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("a callback of surefoot");
  }
}

}  // namespace

nb::tuple to_tuple(const FallbackEvent& event) {
  const double seconds = std::chrono::duration<double>(event.elapsed).count();
  return nb::make_tuple(event.candidate, text(to_string(event.stage)), to_exception(event.error), seconds,
                        event.kept);
}

nb::list to_list(const std::vector<FallbackEvent>& events) {
  nb::list list;
  for (const FallbackEvent& event : events) list.append(to_tuple(event));
  return list;
}

std::function<void(const FallbackEvent&)> event_call(nb::object call) {
  if (call.is_none()) return {};
  return [held = shared(std::move(call))](const FallbackEvent& event) {
    call_python([&] { (*held)(*to_tuple(event)); });
  };
}

std::function<void(std::string_view)> text_call(nb::object call) {
  if (call.is_none()) return {};
  return
      [held = shared(std::move(call))](std::string_view said) { call_python([&] { (*held)(text(said)); }); };
}

LogSink log_call(nb::object call) {
  if (call.is_none()) return {};
  return [held = shared(std::move(call))](const LogRecord& record) {
    call_python([&] {
      (*held)(static_cast<int>(record.level), text(record.category), text(record.location),
              text(record.message));
    });
  };
}

}  // namespace surefoot::python
