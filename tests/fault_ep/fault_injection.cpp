#include "fault_injection.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "counters.hpp"
#include "host.hpp"
#include "settings.hpp"

namespace surefoot::fault_ep {
namespace {

constexpr int kExitStatus = 42;
constexpr const char* kOutOfMemory = "Failed to allocate memory for requested buffer of size 1073741824";

std::string place(const Pass& pass) { return fmt::format("{}, pass {}", to_string(pass.stage), pass.number); }

std::string failure_text(const Action& action, const Pass& pass) {
  return action.text.empty() ? fmt::format("told to fail at {}", place(pass)) : action.text;
}

void tell(const Pass& pass) {
  if (environment("FAULTEP_LOG").empty() || pass.actions.empty()) return;
  fmt::print(stderr, "[fault_ep] {} fault(s) at {}\n", pass.actions.size(), place(pass));
}

Course carry_out(const Action& action, const Pass& pass) {
  switch (action.kind) {
    case ActionKind::fail:
      throw StatusError(ORT_EP_FAIL, failure_text(action, pass));
    case ActionKind::oom:
      throw StatusError(ORT_FAIL, kOutOfMemory);
    case ActionKind::thrown:
      throw kExitStatus;  // no std::exception, so that guard() lets it through
    case ActionKind::segv:
      std::raise(SIGSEGV);
      break;
    case ActionKind::abort:
      std::abort();
    case ActionKind::exit:
      std::_Exit(kExitStatus);
    case ActionKind::hang:
      std::this_thread::sleep_for(action.sleep);
      break;
    case ActionKind::none:
      return Course::offer_nothing;
    case ActionKind::wrong:
      return Course::answer_wrong;
  }
  return Course::ordinary;
}

}  // namespace

Course enter(FaultPlan& plan, Stage stage) {
  count_pass(stage);
  const Pass pass = plan.pass(stage);
  tell(pass);
  Course course = Course::ordinary;
  for (const Action& action : pass.actions)
    if (const Course next = carry_out(action, pass); next != Course::ordinary) course = next;
  return course;
}

}  // namespace surefoot::fault_ep
