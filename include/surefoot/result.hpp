/// Either a value or an Error: what every fallible function of Surefoot returns.
///
/// The interface is a strict subset of std::expected's, so that it can become an alias of it.
/// Failures are made by `fail(error)`. Nothing here throws but `value()`.
#pragma once

#include <cassert>
#include <exception>
#include <functional>
#include <type_traits>
#include <utility>
#include <variant>

#include "surefoot/error.hpp"

namespace surefoot {

/// Thrown by `Result::value()` alone, for callers who prefer exceptions.
class Exception : public std::exception {
 public:
  explicit Exception(Error error) : error_(std::move(error)), text_(to_string(error_)) {}
  const char* what() const noexcept override { return text_.c_str(); }
  const Error& error() const noexcept { return error_; }

 private:
  Error error_;
  std::string text_;
};

/// A failure on its way into a Result of any type (std::unexpected<Error> under C++23).
struct Failure {
  Error error;
};

/// Makes the failure that a function returns: `return fail({.code = …, .what = …});`
inline Failure fail(Error error) { return Failure{std::move(error)}; }

template <class T>
class Result;

namespace detail {
template <class T>
inline constexpr bool is_result = false;
template <class T>
inline constexpr bool is_result<Result<T>> = true;
}  // namespace detail

template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  using error_type = Error;

  template <class U = T>
  requires(std::is_constructible_v<T, U> && !std::is_same_v<std::remove_cvref_t<U>, Result> &&
           !std::is_same_v<std::remove_cvref_t<U>, Failure> &&
           !(std::is_same_v<T, bool> &&
             detail::is_result<std::remove_cvref_t<U>>)) explicit(!std::is_convertible_v<U, T>)
      Result(U&& value)
      : state_(std::in_place_index<0>, std::forward<U>(value)) {}
  Result(Failure failure) : state_(std::in_place_index<1>, std::move(failure.error)) {}

  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// The value; throws Exception with the error when there is none.
  T& value() & { return checked(), std::get<0>(state_); }
  const T& value() const& { return checked(), std::get<0>(state_); }
  T&& value() && { return checked(), std::get<0>(std::move(state_)); }

  /// The value, unchecked: undefined where has_value() is false.
  T& operator*() & noexcept { return assert(has_value()), *std::get_if<0>(&state_); }
  const T& operator*() const& noexcept { return assert(has_value()), *std::get_if<0>(&state_); }
  T&& operator*() && noexcept { return assert(has_value()), std::move(*std::get_if<0>(&state_)); }
  T* operator->() noexcept { return assert(has_value()), std::get_if<0>(&state_); }
  const T* operator->() const noexcept { return assert(has_value()), std::get_if<0>(&state_); }

  /// The error, unchecked: undefined where has_value() is true.
  Error& error() & noexcept { return assert(!has_value()), *std::get_if<1>(&state_); }
  const Error& error() const& noexcept { return assert(!has_value()), *std::get_if<1>(&state_); }
  Error&& error() && noexcept { return assert(!has_value()), std::move(*std::get_if<1>(&state_)); }

  template <class U>
  T value_or(U&& other) const& {
    return has_value() ? **this : static_cast<T>(std::forward<U>(other));
  }
  template <class U>
  T value_or(U&& other) && {
    return has_value() ? std::move(**this) : static_cast<T>(std::forward<U>(other));
  }

  /// Calls `f` with the value, which returns a Result; an error passes through.
  template <class F>
  auto and_then(F&& f) && -> std::remove_cvref_t<std::invoke_result_t<F, T&&>> {
    if (!has_value()) return fail(std::move(error()));
    return std::invoke(std::forward<F>(f), std::move(**this));
  }
  /// Calls `f` with the value, which returns a plain value; an error passes through.
  template <class F>
  auto transform(F&& f) && -> Result<std::remove_cvref_t<std::invoke_result_t<F, T&&>>> {
    if (!has_value()) return fail(std::move(error()));
    if constexpr (std::is_void_v<std::invoke_result_t<F, T&&>>) {
      std::invoke(std::forward<F>(f), std::move(**this));
      return {};
    } else {
      return std::invoke(std::forward<F>(f), std::move(**this));
    }
  }

 private:
  void checked() const {
    if (!has_value()) throw Exception(error());
  }
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;
  using error_type = Error;

  // Not defaulted: `return {}` would then clear the room of an error first, in each call on the way.
  Result() noexcept : error_(std::nullopt) {}
  Result(Failure failure) : error_(std::in_place, std::move(failure.error)) {}

  bool has_value() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }
  /// Throws Exception with the error when there is one.
  void value() const {
    if (error_) throw Exception(*error_);
  }
  void operator*() const noexcept { assert(has_value()); }
  Error& error() & noexcept { return assert(error_), *error_; }
  const Error& error() const& noexcept { return assert(error_), *error_; }
  Error&& error() && noexcept { return assert(error_), std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace surefoot
