// Writes the region table, which tells the runtime what each id refers to and is appended to the rewritten main file.
#ifndef KPERF_REWRITERS_REGIONTABLE_H
#define KPERF_REWRITERS_REGIONTABLE_H

#include "rewriters/plan/Region.h"
#include "rewriters/plan/Site.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace kperf {

/// A C++ string literal with the quotes: one that means the same in every dialect, trigraphs or not.
std::string stringLiteral(llvm::StringRef value);

/// Appends `KPERF_REGIONS(…)`, at least one row, one a line, behind the last line of `text`, with the line ends that
/// the text has. `planned`: the plan's, which the regions' indices refer to.
void appendRegionTable(std::string &text, llvm::ArrayRef<Region> regions, llvm::ArrayRef<Region> planned);

/// Appends what stands in its place where there is no region, and yet a module.
void appendEmptyRegionTable(std::string &text);

/// Appends `KPERF_SITES(…)` in the same way.
void appendSiteTable(std::string &text, llvm::ArrayRef<Site> sites, llvm::ArrayRef<Region> planned);

/// Appends `KPERF_SAMPLE_OF(…)` in the same way: one block in N is recorded unless the user says otherwise.
void appendSampleOf(std::string &text, unsigned blocks);

} // namespace kperf

#endif
