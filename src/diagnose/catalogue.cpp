#include "diagnose/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "diagnose/catalogue_reader.hpp"

namespace surefoot::diagnose {
namespace {

Result<void> add_patterns(MessageIndex& index, std::size_t position, const ErrorEntry& entry) {
  for (const std::string& seen : entry.seen) {
    auto pattern = Pattern::parse(seen);
    if (!pattern)
      return fail(std::move(pattern).error().while_doing(fmt::format("reading `{}`", entry.slug)));
    index.add(position, std::move(*pattern));
  }
  return {};
}

Result<void> add_entry(Catalogue& catalogue, ErrorEntry entry) {
  if (std::ranges::find(catalogue.entries, entry.slug, &ErrorEntry::slug) != catalogue.entries.end())
    return fail(
        {.code = ErrorCode::InvalidArgument, .what = fmt::format("entry `{}` stands twice", entry.slug)});
  if (auto done = add_patterns(catalogue.index, catalogue.entries.size(), entry); !done) return done;
  catalogue.entries.push_back(std::move(entry));
  return {};
}

}  // namespace

Result<Catalogue> make_catalogue(std::span<const CatalogueText> texts) {
  Catalogue made;
  for (const CatalogueText& text : texts) {
    auto entries = read_catalogue(text.text, text.name);
    if (!entries) return fail(std::move(entries).error());
    for (ErrorEntry& entry : *entries)
      if (auto done = add_entry(made, std::move(entry)); !done) return fail(std::move(done).error());
  }
  return made;
}

const Catalogue& catalogue() {
  static const Catalogue kCatalogue = make_catalogue(catalogue_texts()).value_or(Catalogue{});
  return kCatalogue;
}

}  // namespace surefoot::diagnose
