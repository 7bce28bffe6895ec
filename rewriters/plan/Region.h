// A row of the region table, which a region probe's id refers to.
#ifndef KPERF_REWRITERS_REGION_H
#define KPERF_REWRITERS_REGION_H

#include <kperf/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace kperf {

/// Where a function's stream has a region's clocks (kperf_region::frame).
struct StreamPlace {
  bool isInFrame = false;
  unsigned begin = 0, end = 0;     ///< words of the frame
  unsigned object = 0;             ///< the word that says what a wait or a signal is for; 0: none does
  std::optional<std::size_t> next; ///< in the plan: the region behind it in the frame
};

struct Region {
  std::uint32_t id = 0; ///< 24 bits, never 0; set by Plan::assignIds
  format::RegionKind kind = format::RegionKind::Scope;
  std::string name;                                              ///< the annotation's, or the kernel's qualified name
  std::string function;                                          ///< qualified name of the function that holds it
  std::string file;                                              ///< as the compiler was given it
  std::string source;                                            ///< text of the source line
  unsigned line = 0, column = 0;                                 ///< 1-based
  unsigned endLine = 0;                                          ///< last line
  format::SyncOperation operation = format::SyncOperation::None; ///< of a Wait or a Signal
  format::SyncObject object = format::SyncObject::Unknown;       ///< what it does that with
  std::optional<format::RegionKind> asked;                       ///< of a Range around a declaration: the kind that was asked for
  bool isSummed = false;                                         ///< its entries are summed up on the device
  std::optional<std::size_t> next;   ///< in the plan: the region that shares its records, being entered when this one is left
  std::optional<StreamPlace> stream; ///< of what a function with a stream of its own records
  std::string path;                  ///< key of the file in the plan
  unsigned offset = 0;               ///< byte in that file
  bool isOfUnit = false;             ///< of a header, and yet another one in each translation unit
};

/// A place that a rule chose and that is not timed after all.
struct SkippedSite {
  std::string name; ///< that the region would have had
  std::string function;
  std::string file;
  unsigned line = 0, column = 0; ///< 1-based
  std::string reason;
  bool isTooSmall = false; ///< left out by the guard, not for want of a way
};

} // namespace kperf

#endif
