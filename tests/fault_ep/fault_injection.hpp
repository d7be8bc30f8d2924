/// The places where the provider goes wrong on command.
#pragma once

#include "fault_plan.hpp"

namespace surefoot::fault_ep {

/// What a stage that was entered and survived is to do.
enum class Course { ordinary, offer_nothing, answer_wrong };

/// Every stage starts here: counts the pass and carries out what `plan` has for it.
/// Throws StatusError for `fail` and `oom`, an int for `throw`; may not come back at all.
Course enter(FaultPlan& plan, Stage stage);

}  // namespace surefoot::fault_ep
