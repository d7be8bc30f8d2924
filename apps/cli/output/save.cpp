#include "apps/cli/output/save.hpp"

#include <fmt/format.h>

#include "apps/cli/input/npz.hpp"

namespace surefoot::cli {
namespace {

using Arrays = std::vector<NamedArray>;

void flatten(const std::string& name, const Value& value, Arrays& arrays) {
  if (const Tensor* tensor = value.tensor()) arrays.push_back({name, tensor});
  if (const Map* map = value.map()) {
    arrays.push_back({name + ".keys", &map->keys});
    arrays.push_back({name + ".values", &map->values});
  }
  if (const Sequence* sequence = value.sequence())
    for (std::size_t i = 0; i < sequence->items.size(); ++i)
      flatten(fmt::format("{}.{}", name, i), sequence->items[i], arrays);
}

}  // namespace

Result<void> save_npz(const std::filesystem::path& path, std::span<const NamedValue> values) {
  Arrays arrays;
  for (const NamedValue& value : values) flatten(value.name, value.value, arrays);
  return write_npz(path, arrays);
}

}  // namespace surefoot::cli
