// Puts kernels' short names in place of whole ones, in all that people read.
#ifndef KPERF_DECODER_READABLE_NAMES_H
#define KPERF_DECODER_READABLE_NAMES_H

#include "decoder/print/Printer.h"
#include "decoder/table/Table.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kperf::decoder {

/// Of the kernels that tables have in a column `kernel`. What programs read keeps whole names: they are what identifies a kernel.
class ReadableNames {
public:
  explicit ReadableNames(std::span<const Table> tables);

  /// The tables with short names in that column, and in titles, notes and excerpts.
  std::vector<Table> tables(std::span<const Table> whole) const;
  /// `{"WHOLE": "SHORT", …}` of those that differ, for a page's other data.
  std::string json() const;

private:
  std::string text(std::string whole) const;

  std::vector<std::pair<std::string, std::string>> names; ///< whole and short, where they differ; longer ones first
};

} // namespace kperf::decoder

#endif
