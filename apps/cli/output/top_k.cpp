#include "apps/cli/output/top_k.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "apps/cli/input/numbers.hpp"

namespace surefoot::cli {
namespace {

Failure bad(std::string what, std::string hint = {}) {
  return fail({.code = ErrorCode::InvalidArgument, .what = std::move(what), .hint = std::move(hint)});
}

/// Larger first; NaN, which compares with nothing, behind all.
bool is_better(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a > b; }

TopRow best_of(std::span<const Number> scores, std::size_t k, const std::vector<std::string>& labels) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto count = static_cast<std::ptrdiff_t>(std::min(k, scores.size()));
  std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](std::size_t a, std::size_t b) {
    const double first = to_double(scores[a]), second = to_double(scores[b]);
    return is_better(first, second) || (!is_better(second, first) && a < b);
  });
  TopRow row;
  for (std::size_t index : std::span(order).first(static_cast<std::size_t>(count)))
    row.push_back({labels.empty() ? std::to_string(index) : labels[index], index, to_double(scores[index])});
  return row;
}

Result<std::vector<TopRow>> rows_of(const Tensor& tensor, std::size_t k,
                                    const std::vector<std::string>& labels) {
  if (!is_integer(tensor.type()) && !is_floating(tensor.type()) && tensor.type() != ElementType::Bool)
    return bad(fmt::format("elements of type {} have no order", to_string(tensor.type())));
  const auto width = static_cast<std::size_t>(tensor.shape().empty() ? 1 : tensor.shape().back());
  if (!labels.empty() && labels.size() != width)
    return bad(fmt::format("there are {} labels, the last axis of {} has {}", labels.size(),
                           to_string(tensor.shape()), width),
               "use the labels that belong to this model");
  const std::vector<Number> scores = numbers_of(tensor);
  std::vector<TopRow> rows;
  for (std::size_t begin = 0; width > 0 && begin + width <= scores.size(); begin += width)
    rows.push_back(best_of(std::span(scores).subspan(begin, width), k, labels));
  return rows;
}

std::vector<std::string> key_texts(const Tensor& keys) {
  std::vector<std::string> texts(keys.strings().begin(), keys.strings().end());
  for (const Number& number : numbers_of(keys)) texts.push_back(number_text(number));
  return texts;
}

Result<std::vector<TopRow>> rows_of(const Map& map, std::size_t k, const std::vector<std::string>& labels) {
  if (map.values.shape().size() != 1)
    return bad(fmt::format("the map's values have the shape {}, one number for each key is wanted",
                           to_string(map.values.shape())));
  return rows_of(map.values, k, labels.empty() ? key_texts(map.keys) : labels);
}

}  // namespace

Result<std::vector<TopRow>> top_k(const Value& value, std::size_t k, const std::vector<std::string>& labels) {
  if (const Tensor* tensor = value.tensor()) return rows_of(*tensor, k, labels);
  if (const Map* map = value.map()) return rows_of(*map, k, labels);
  if (!value.sequence()) return bad("there is no value to take the best of");
  std::vector<TopRow> rows;
  for (const Value& item : value.sequence()->items) {
    auto inner = top_k(item, k, labels);
    if (!inner) return inner;
    std::move(inner->begin(), inner->end(), std::back_inserter(rows));
  }
  return rows;
}

std::string top_text(const TopRow& row) {
  std::size_t width = 0;
  for (const TopEntry& entry : row) width = std::max(width, entry.label.size());
  std::string text;
  for (const TopEntry& entry : row)
    text += fmt::format("{}{:<{}}  {:.6g}", text.empty() ? "" : "\n", entry.label, width, entry.score);
  return text;
}

}  // namespace surefoot::cli
