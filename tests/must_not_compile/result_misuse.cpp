// What must not be done to a Result, one case at a time; without a case the file is right.
#include <memory>
#include <string>

#include "surefoot/result.hpp"

using surefoot::Error;
using surefoot::ErrorCode;
using surefoot::fail;
using surefoot::Result;

Result<int> number() { return 1; }
Result<void> act() { return {}; }

#ifdef CASE_ignored_value
void misuse() { number(); }
#elif defined(CASE_ignored_success)
void misuse() { act(); }
#elif defined(CASE_owning_a_raw_pointer)
Result<std::unique_ptr<int> > misuse() { return new int(1); }
#elif defined(CASE_an_error_without_fail)
Result<int> misuse() { return Error{.code = ErrorCode::NotFound, .what = "gone"}; }
#elif defined(CASE_a_result_as_its_value)
int misuse() { return number(); }
#elif defined(CASE_emptiness_as_a_value)
int misuse() { return act().value(); }
#else
int use() {
  const Result<void> acted = act();
  const Result<int> none = fail({.code = ErrorCode::NotFound, .what = "gone"});
  return acted && none ? *none : number().value();
}
#endif
