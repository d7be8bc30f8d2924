#include <array>
#include <utility>

#include "report/page_texts.hpp"
#include "surefoot/report.hpp"

namespace surefoot {
namespace {

/// A `<` in JSON stands inside a string only, where its escape means the same: no tag and no comment can
/// begin in the data, whatever a model's names say.
std::string without_markup(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char letter : json) letter == '<' ? (void)text.append("\\u003c") : text.push_back(letter);
  return text;
}

std::string escaped(std::string_view text) {
  std::string markup;
  for (const char letter : text) switch (letter) {
      case '<':
        markup += "&lt;";
        break;
      case '&':
        markup += "&amp;";
        break;
      default:
        markup += letter;
    }
  return markup;
}

}  // namespace

std::string to_html(const Report& report) {
  const std::string data = without_markup(to_json(report));
  const std::string title = escaped(report.path.filename().string());
  const std::array<std::pair<std::string_view, std::string_view>, 6> parts{
      {{"{{style-hash}}", reporting::kStyleHash},
       {"{{script-hash}}", reporting::kScriptHash},
       {"{{title}}", title},
       {"{{style}}", reporting::kStyle},
       {"{{data}}", data},
       {"{{script}}", reporting::kScript}}};
  // In the page's order, and never looked for in what was put in.
  std::string page;
  std::size_t done = 0;
  for (const auto& [hole, text] : parts) {
    const std::size_t at = reporting::kPage.find(hole, done);
    page += reporting::kPage.substr(done, at - done);
    page += text;
    done = at + hole.size();
  }
  return page += reporting::kPage.substr(done);
}

}  // namespace surefoot
