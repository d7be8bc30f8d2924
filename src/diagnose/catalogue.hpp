/// The catalogue as it was compiled in, with the index over its patterns.
#pragma once

#include <span>

#include "diagnose/message_index.hpp"

namespace surefoot::diagnose {

/// One file of `catalogue/`, as text.
struct CatalogueText {
  std::string_view name;
  std::string_view text;
};

/// All of them, in the order of CMakeLists.txt. Made by the build from catalogue_texts.cpp.in.
std::span<const CatalogueText> catalogue_texts();

struct Catalogue {
  std::vector<ErrorEntry> entries;
  MessageIndex index;
};

/// Errors: those of read_catalogue() and of Pattern::parse(), and a slug that stands twice.
Result<Catalogue> make_catalogue(std::span<const CatalogueText> texts);

/// That of the build, read at the first call. Empty if its text cannot be read: a bug, which
/// catalogue_test.cpp finds.
const Catalogue& catalogue();

}  // namespace surefoot::diagnose
