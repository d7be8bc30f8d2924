/// The best classes of a classifier's output.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "surefoot/value.hpp"

namespace surefoot::cli {

struct TopEntry {
  std::string label;  ///< from the labels, a map's key, or the index in decimal
  std::size_t index = 0;
  double score = 0;
};

/// The entries of one row, best first; equal scores in order of their index; NaN comes last.
using TopRow = std::vector<TopEntry>;

/// The `k` largest along the last axis of a tensor of numbers, one row for each of the others;
/// a scalar is one row of one. A map gives one row of its keys, a sequence the rows of its items.
/// `labels` may be empty; otherwise there must be one for each index.
/// Errors: InvalidArgument: strings, complex numbers, nothing at all, or another number of labels.
Result<std::vector<TopRow>> top_k(const Value& value, std::size_t k, const std::vector<std::string>& labels);

/// One label a line, or JSON: an array of strings, or an object from index to string.
/// Errors: NotFound, IoFailed, InvalidInput (JSON of another form).
Result<std::vector<std::string>> read_labels(const std::filesystem::path& path);

/// One row as lines, the scores in a column of their own. No final newline.
std::string top_text(const TopRow& row);

}  // namespace surefoot::cli
