// Finds the clock reads of probes in a function's machine code, and which regions each begins or ends.
#ifndef KPERF_TOOL_PLACEMENT_CLOCKREADS_H
#define KPERF_TOOL_PLACEMENT_CLOCKREADS_H

#include "tool/placement/Listing.h"
#include "tool/placement/Program.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace kperf::placement {

/// Whether nvdisasm's absolute name and the compiler's name, which may be relative, mean the same file.
bool isSameFile(std::string_view absolute, std::string_view given);

/// What of an instruction's places is the user's: innermost first.
struct UserPlaces {
  std::vector<SourceLine> lines;
  bool isProbe = false;       ///< it is kperf's own, on the first of these lines
  bool isMemoryProbe = false; ///< it is one that counts an access: the clock that it reads says whether to, and is of no region
};

/// By Instruction::places. A probe is what comes of a header of kperf before a file of the table of regions: around the whole of a kernel,
/// kperf's headers may stand too.
std::vector<UserPlaces> userPlaces(const Listing &listing, std::span<const Region> regions);

/// Whether its entries nest: only ranges may overlap others.
bool isStrictlyNested(const Region &region);

/// Whether the places have one between the lines, both included, of the region's file.
bool touches(const UserPlaces &places, const Region &region, std::uint32_t first, std::uint32_t last);

/// What a clock read is to one region.
enum class ClockRole : std::uint8_t {
  None,
  Begin,
  End,       ///< of this region, or of what stands outside of it
  LastLine,  ///< its end, unless a region that it holds is open
  Body,      ///< the same where it is left early (return, break, continue); a mark's, where it can still come to its last line
  BeginOrEnd ///< of a region of one line: its begin where it is not open, else its end
};

struct ClockRead {
  std::size_t instruction = 0;
  std::optional<SourceLine> line; ///< the innermost one of the user's
  std::vector<ClockRole> roles;   ///< by region
  /// The region that a record says it ends, as an index (ReadPairs.h).
  std::optional<std::size_t> endOf;
  bool isStored = false;   ///< a record says which region begins or ends with it (ReadPairs.h)
  bool isMislined = false; ///< its record is tagged as that of a region which no probe on its line belongs to
};

/// The regions, each with the line that the probe at its begin is on: a pragma stands above the statement that it is about.
std::vector<Region> withBeginLines(const Function &function, std::span<const UserPlaces> places, std::span<const Region> regions);

/// In the order of the instructions; without those of a whole kernel's begin and end. `places`: by Instruction::places.
std::vector<ClockRead> clockReads(const Function &function, std::span<const UserPlaces> places, std::span<const Region> regions);

} // namespace kperf::placement

#endif
