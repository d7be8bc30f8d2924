/// What must hold of functions.def whatever header is at hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "ort/abi.hpp"

namespace surefoot::ort {
namespace {

struct Row {
  int slot;
  int since;
  std::string name;
};

std::vector<Row> rows_by_slot() {
  std::vector<Row> rows = {
#define ORT_FUNCTION(slot, since, name, ...) {slot, since, #name},
#include "ort/functions.def"
#undef ORT_FUNCTION
  };
  std::ranges::sort(rows, {}, &Row::slot);
  return rows;
}

/// Length of ORT's table as the headers of these minor versions have it.
struct TableLength {
  int version;
  int slots;
};
constexpr TableLength kLengths[] = {{21, 285}, {23, 390}, {27, 422}};

TEST(FunctionTable, NamesEachSlotOnce) {
  std::map<int, std::string> seen;
  for (const Row& row : rows_by_slot())
    EXPECT_TRUE(seen.emplace(row.slot, row.name).second) << row.name << " has the slot of " << seen[row.slot];
}

TEST(FunctionTable, OnlyGrowsSoThatALaterSlotNeverCameWithAnEarlierOrt) {
  int newest = 0;
  for (const Row& row : rows_by_slot()) {
    EXPECT_GE(row.since, newest) << row.name << ", slot " << row.slot;
    newest = std::max(newest, row.since);
  }
}

TEST(FunctionTable, PutsEachRowInsideTheTableOfItsVersion) {
  for (const Row& row : rows_by_slot())
    for (const auto& [version, slots] : kLengths)
      EXPECT_EQ(row.since <= version, row.slot < slots) << row.name << " and the table of ORT 1." << version;
}

TEST(FunctionTable, HasNoRowNewerThanWhatIsAskedOfOrt) {
  for (const Row& row : rows_by_slot()) EXPECT_LE(row.since, kNewestApi) << row.name;
}

}  // namespace
}  // namespace surefoot::ort
