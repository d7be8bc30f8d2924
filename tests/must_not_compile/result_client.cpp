// A client of all that Result offers, which builds with std::expected in its place too.
#include <expected>
#include <memory>
#include <string>

#ifdef CLIENT_OF_EXPECTED
#include "surefoot/error.hpp"
#else
#include "surefoot/result.hpp"
#endif

using surefoot::Error;
using surefoot::ErrorCode;

#ifdef CLIENT_OF_EXPECTED
template <class T>
using Result = std::expected<T, Error>;
inline std::unexpected<Error> fail(Error error) { return std::unexpected(std::move(error)); }
#else
using surefoot::fail;
using surefoot::Result;
#endif

Result<int> parse(bool well) {
  if (!well) return fail({.code = ErrorCode::InvalidArgument, .what = "no number"});
  return 1;
}

Result<void> act() { return {}; }
Result<void> stop() { return fail({.code = ErrorCode::Cancelled, .what = "stopped"}); }

Result<std::string> forward(Result<int> from) {
  if (!from) return fail(std::move(from).error().while_doing("parsing"));
  return "text";
}

static_assert(std::is_same_v<Result<int>::value_type, int> && std::is_same_v<Result<int>::error_type, Error>);

int use() {
  Result<std::unique_ptr<int>> owner = std::make_unique<int>(2);
  const Result<std::string> text = forward(parse(true));
  const std::unique_ptr<int> taken = std::move(owner).value();
  *owner = nullptr;
  act().value();
  const auto stopped = stop();
  if (!stopped.has_value() && stopped.error().code == ErrorCode::Cancelled) return 0;
  return *taken + parse(false).value_or(3) + static_cast<int>(text->size() + text.value().size());
}

#if !defined(CLIENT_OF_EXPECTED) || (defined(__cpp_lib_expected) && __cpp_lib_expected >= 202211L)
std::string chain() {
  return *parse(true).and_then([](int n) { return parse(n > 0); }).transform([](int n) {
    return std::to_string(n);
  });
}
#endif
