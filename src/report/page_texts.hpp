/// The page's own parts, as they lie in src/report/page.
#pragma once

#include <string_view>

namespace surefoot::reporting {

extern const std::string_view kPage;  ///< with a hole such as {{style}} for each part
extern const std::string_view kStyle, kScript;
extern const std::string_view kStyleHash, kScriptHash;  ///< "sha256-…", as a Content-Security-Policy wants it

}  // namespace surefoot::reporting
