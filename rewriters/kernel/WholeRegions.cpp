// Checks how control enters and leaves each region's extent.
#include "rewriters/kernel/WholeRegions.h"

#include "rewriters/kernel/RegionExtents.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using clang::Stmt;

namespace kperf {

bool areAllWhole(const TranslationUnit &unit, const AnnotatedFunction &kernel, const KernelUniformity &kernels) {
  const auto isSummed = [](const auto &site) { return site.isSummed; };
  if (any_of(kernel.markers, isSummed) || any_of(kernel.statements, isSummed))
    return false;
  const std::optional<std::vector<RegionExtent>> &extents = extentsOf(unit, kernel);
  const WarpUniformity *uniformity = kernels.of(kernel.function);
  const auto isWhole = [&](const Stmt *statement) { return !statement || uniformity->isWhole(statement); };
  return extents && uniformity && all_of(*extents, [&](const RegionExtent &extent) {
           return isWhole(extent.name) && isWhole(extent.endMark) && none_of(extent.content, [&](const Stmt *part) {
                    return anyJump(part, [&](const Stmt *jump) { return !uniformity->isWhole(jump); });
                  });
         });
}

} // namespace kperf
