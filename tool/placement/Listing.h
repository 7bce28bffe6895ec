// What nvdisasm prints of a cubin: instructions, and the place in the source that each comes from.
#ifndef KPERF_TOOL_PLACEMENT_LISTING_H
#define KPERF_TOOL_PLACEMENT_LISTING_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::placement {

struct SourceLine {
  std::string_view file;
  std::uint32_t line = 0;

  friend bool operator==(const SourceLine &, const SourceLine &) = default;
};

/// Where an instruction comes from: the innermost function's line, the line that it is inlined at, …
using Places = std::vector<SourceLine>;

struct Instruction {
  std::string_view text; ///< with its predicate, without the semicolon
  std::size_t places = 0;
  bool isPlaced = true; ///< whether its place is said since the last label: else it is that of another block's last instruction
};

/// A function: a kernel with what it calls. Where it goes on without probes, for blocks that are not recorded, it ends.
struct Function {
  std::string_view name; ///< mangled
  std::vector<Instruction> instructions;
  std::map<std::string_view, std::size_t> labels; ///< index of the instruction behind each
};

struct Listing {
  std::string text; ///< that the others refer to
  std::vector<Function> functions;
  std::vector<Places> places; ///< by Instruction::places; the first is nowhere
};

/// `text`: of nvdisasm -gi -c. Lines that are none of these are skipped.
Listing readListing(std::string text);

} // namespace kperf::placement

#endif
