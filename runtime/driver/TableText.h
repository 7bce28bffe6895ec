// Parses the tables in a module (kperf/abi/device_tables.h), which are C++ initialisers as the rewriter wrote them.
#ifndef KPERF_RUNTIME_DRIVER_TABLETEXT_H
#define KPERF_RUNTIME_DRIVER_TABLETEXT_H

#include <kperf/abi/module.h>

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::driver {

/// Rows whose strings live as long as this does.
class TableText {
public:
  /// False, with no row added, where the text is none that this version's rewriter writes.
  bool readRegions(std::string_view text);
  bool readSites(std::string_view text);

  const std::vector<kperf_region> &regions() const { return regionRows; }
  const std::vector<kperf_site> &sites() const { return siteRows; }

private:
  /// One initialiser of a row: a number, or a string.
  struct Value {
    std::uint32_t number = 0;
    const char *text = nullptr;
  };
  using Row = std::vector<Value>;

  std::optional<std::vector<Row>> rows(std::string_view text, std::string_view kinds);

  std::deque<std::string> texts;
  std::vector<kperf_region> regionRows;
  std::vector<kperf_site> siteRows;
};

} // namespace kperf::driver

#endif
