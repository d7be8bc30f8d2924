/// A machine out of folders, for tests of the search: its variables, its root, what it has mapped.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "runtime/places.hpp"
#include "runtime/stub_library.hpp"

namespace surefoot::runtime {

class MadeUpMachine {
 public:
  /// A path below the machine's root: made_up / "home/me".
  std::filesystem::path operator/(const std::filesystem::path& path) const { return folder_.path() / path; }

  void set(const std::string& variable, const std::string& value) { variables_[variable] = value; }

  /// An empty file, its folders included.
  std::filesystem::path add(const std::filesystem::path& path) const {
    write_file(*this / path, {});
    return *this / path;
  }
  std::filesystem::path add(const std::filesystem::path& path, std::string_view text) const {
    write_file(*this / path, std::as_bytes(std::span(text)));
    return *this / path;
  }
  std::filesystem::path link(const std::filesystem::path& path, const std::filesystem::path& to) const {
    std::filesystem::create_directories((*this / path).parent_path());
    std::filesystem::create_symlink(to, *this / path);
    return *this / path;
  }

  Surroundings surroundings() const {
    Surroundings around = extra;
    around.root = folder_.path();
    around.variable = [this](const char* name) -> std::optional<std::string> {
      const auto at = variables_.find(name);
      return at == variables_.end() ? std::nullopt : std::optional(at->second);
    };
    return around;
  }

  /// Paths found by a search, as below this root.
  std::vector<std::string> below_root(const std::vector<std::filesystem::path>& paths) const {
    std::vector<std::string> names;
    for (const auto& path : paths) names.push_back(path.lexically_relative(folder_.path()).string());
    return names;
  }

  Surroundings extra;  ///< own_folder and mapped

 private:
  TestFolder folder_;
  std::map<std::string, std::string> variables_;
};

}  // namespace surefoot::runtime
