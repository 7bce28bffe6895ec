// Prints findings as JUnit's XML, for continuous integration: a test case for each, a failure in each broken one.
#include "decoder/io/Utf8.h"
#include "decoder/print/Printer.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

/// Text for an attribute; XML has no way to write most control characters.
std::string attribute(std::string_view text) {
  std::string out = "\"";
  for (const char c : printable(text))
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += c;
    }
  return out + '"';
}

} // namespace

void junitPrinter(std::span<const Table> tables, const PrintOptions &options, Output &out) {
  const std::vector<Finding> findings = findingsOf(tables);
  out.write(fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name={} tests=\"{}\" "
                        "failures=\"{}\">\n",
                        attribute(options.title), findings.size(), std::ranges::count(findings, true, &Finding::isViolation)));
  for (const Finding &finding : findings) {
    out.write(fmt::format("<testcase classname={} name={}", attribute(finding.subject), attribute(finding.rule)));
    if (!finding.file.empty())
      out.write(fmt::format(" file={} line=\"{}\"", attribute(finding.file), finding.line));
    out.write(finding.isViolation ? fmt::format(">\n<failure message={}/>\n</testcase>\n", attribute(finding.message))
                                  : std::string("/>\n"));
  }
  out.write("</testsuite>\n</testsuites>\n");
}

} // namespace kperf::decoder
