// Reads what ptxas says of the kernels of a module, and compares the kernels with and without probes.
#ifndef KPERF_TOOL_PLAIN_PTXAS_REPORT_H
#define KPERF_TOOL_PLAIN_PTXAS_REPORT_H

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace kperf::plain {

/// Of one kernel or function. Bytes, but for registers.
struct Resources {
  unsigned registers = 0, staticShared = 0, stack = 0, spillStores = 0, spillLoads = 0;
  unsigned maxWarps = 64;                        ///< that a multiprocessor of the kernel's architecture holds
  std::map<std::string, std::string> serialised; ///< C75xx: why its wgmma instructions do not overlap, in ptxas's words
};

/// By mangled name, of the output of `ptxas -v`. Functions that are no kernels have a stack and spills only.
std::map<std::string, Resources> readPtxasReport(llvm::StringRef output);

/// The output without what it says of copies without probes (kPlainSuffix) and, unless `keepsResources`, without what -v added to it.
std::string withoutPlainKernels(llvm::StringRef output, bool keepsResources);

struct Change {
  std::string kernel;                                 ///< mangled
  std::string text;                                   ///< "registers 12 -> 22, spill stores 0 -> 8 bytes"
  bool isLarge;                                       ///< not in registers alone, or in enough of them that fewer warps can be resident
  std::map<std::string, std::string> newlySerialised; ///< of Resources::serialised, what the copy without probes lacks
  std::string movesToStack; ///< "stack 0 -> 16 bytes": it holds more than before, and not for spills; empty: it does not
};

/// Kernels that have a copy without probes in the same report and differ from it. `blockLimits`: the most threads of a block, of kernels
/// that say so.
std::vector<Change> changesIn(const std::map<std::string, Resources> &report, const std::map<std::string, unsigned> &blockLimits);

/// Kernels whose copies without probes leave room for all the warps that a multiprocessor of their architecture holds, and that for their
/// probes' registers do not; with how many registers a thread they do. Half of them is lost there where blocks have 1024 threads. Others
/// are better off with the registers that they take: on an H100 a limit made FDTD3d +22 % of +12, gated linear attention +24 of +5,
/// FlashInfer's decode +47 of +40 (no spills in the last two). Kernels with more than a quarter above that limit are left out: ptxas does
/// not fit them without spills.
std::map<std::string, unsigned> limitsForResidency(const std::map<std::string, Resources> &report);

/// Kernels that start with blocks of 1024 threads without probes, and not with them; with how many registers a thread they do. Such
/// launches run the copy otherwise (with 72 registers where there were 36, HeCBench's groupnorm). Kernels with more than a quarter above
/// that limit are left out, likewise.
std::map<std::string, unsigned> limitsForBlocks(const std::map<std::string, Resources> &report);

/// The most registers of a thread with which as many warps of the kernel can be resident.
unsigned registersForAsManyWarps(const Resources &resources);

/// Whether more warps of the one kernel can be resident than of the other, or it has less on the stack or spills less; not where one of
/// them is in no report.
bool isBetter(const std::map<std::string, Resources> &report, const std::string &kernel,
              const std::map<std::string, Resources> &othersReport, const std::string &other);

/// Whether a kernel that was assembled with that limit keeps to it and spills nothing for it.
bool isWorthLimiting(const Resources &unlimited, const Resources &limited, unsigned limit);

} // namespace kperf::plain

#endif
