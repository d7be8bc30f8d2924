#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "report/made_up_report.hpp"
#include "report/page_texts.hpp"

namespace surefoot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kData = R"(<script type="application/json" id="report-data">)";

/// What the page's script will read.
std::string data_of(const std::string& page) {
  const std::size_t begin = page.find(kData) + kData.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(ReportPage, HoldsTheSameDataAsTheJson) {
  const Report report = reporting::made_up_report();
  EXPECT_EQ(nlohmann::json::parse(data_of(to_html(report))), nlohmann::json::parse(to_json(report)));
}

TEST(ReportPage, NamesInTheModelCannotBecomeMarkup) {
  Report report = reporting::made_up_report();
  const std::string evil = "</script><script>alert(1)</script><!--<script>&lt; \xE2\x80\xA8 \xE2\x80\xA9";
  report.nodes[0].name = evil;
  report.path = "<img src=x onerror=alert(1)>.onnx";
  const std::string page = to_html(report), plain = to_html(reporting::made_up_report());
  EXPECT_EQ(count(page, "<script"), count(plain, "<script"));
  EXPECT_EQ(count(page, "</script"), count(plain, "</script"));
  EXPECT_THAT(page, Not(HasSubstr("<!--")));
  EXPECT_THAT(page, HasSubstr("<title>&lt;img src=x onerror=alert(1)>.onnx"));
  EXPECT_EQ(nlohmann::json::parse(data_of(page))["nodes"][0]["name"], evil);
}

TEST(ReportPage, HolesInTheDataAreNotFilled) {
  Report report = reporting::made_up_report();
  report.path = "{{data}}{{script}}.onnx";
  EXPECT_THAT(to_html(report), HasSubstr("<title>{{data}}{{script}}.onnx"));
}

TEST(ReportPage, AsksForNothingFromElsewhere) {
  const std::string page = to_html(reporting::made_up_report());
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("unsafe-inline")));
  EXPECT_THAT(page, Not(HasSubstr(" src=")));
  EXPECT_EQ(count(page, "url("), count(page, "url(#")) << "what is not in the page itself";
  EXPECT_THAT(page, Not(HasSubstr("@import")));
  EXPECT_EQ(count(page, "href=\"data:,\""), 1U);
}

TEST(ReportPage, PolicyNamesTheHashesOfStyleAndScript) {
  const std::string page = to_html(reporting::made_up_report());
  EXPECT_THAT(page, HasSubstr("style-src '" + std::string(reporting::kStyleHash) + "'"));
  EXPECT_THAT(page, HasSubstr("script-src '" + std::string(reporting::kScriptHash) + "'"));
  EXPECT_THAT(reporting::kScriptHash, ::testing::SizeIs(51));
  EXPECT_THAT(page, HasSubstr("<style>" + std::string(reporting::kStyle) + "</style>"));
  EXPECT_THAT(page, HasSubstr("<script>" + std::string(reporting::kScript) + "</script>"));
}

}  // namespace
}  // namespace surefoot
