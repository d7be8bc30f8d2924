#include <fmt/format.h>

#include <system_error>

#include "file/new_file.hpp"
#include "file/new_files.hpp"
#include "surefoot/report.hpp"

namespace surefoot {
namespace {

Result<void> check_not_the_model(const ReportRequest& request, const std::filesystem::path& page) {
  std::error_code problem;
  if (!std::filesystem::equivalent(request.model, page, problem)) return {};
  return fail({.code = ErrorCode::InvalidArgument,
               .what = fmt::format("`{}` is the model itself", page.string()),
               .hint = "name another file for the report"});
}

/// Takes the place of the file that is there.
Result<Report> replace(const ReportRequest& request, const std::filesystem::path& page) {
  auto file = file::NewFile::create(page);
  if (!file) return fail(std::move(file).error());
  auto report = make_report(request);
  if (!report) return report;
  auto done = file->write(to_html(*report));
  if (done) done = file->commit();
  if (!done) return fail(std::move(done).error());
  return report;
}

/// Takes a place where nothing is, not even when it is over.
Result<Report> create(const ReportRequest& request, const std::filesystem::path& page) {
  auto files = file::NewFiles::create(page);
  if (!files) return fail(std::move(files).error());
  auto report = make_report(request);
  if (!report) return report;
  auto file = file::NewFile::create(files->main());
  if (!file) return fail(std::move(file).error());
  auto done = file->write(to_html(*report));
  if (done) done = file->commit();
  if (!done) return fail(std::move(done).error());
  if (auto placed = files->commit(); !placed) return fail(std::move(placed).error());
  return report;
}

}  // namespace

Result<Report> write_report(const ReportRequest& request, const std::filesystem::path& page,
                            ExistingFile existing) {
  if (auto other = check_not_the_model(request, page); !other) return fail(std::move(other).error());
  return existing == ExistingFile::Replace ? replace(request, page) : create(request, page);
}

}  // namespace surefoot
