// A row of the table of memory access sites, which a memory probe's id refers to.
#ifndef KPERF_REWRITERS_SITE_H
#define KPERF_REWRITERS_SITE_H

#include <kperf/format.h>
#include <kperf/rules/MemoryCalls.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace kperf {

/// What the machine executes for a site: format::MachineAccessRecord.
struct SiteMachine {
  format::MachineState state = format::MachineState::Unknown;
  std::optional<std::size_t> leader; ///< index of a site
  unsigned bytes = 0, pieces = 0;
};

struct Site {
  std::uint32_t id = 0; ///< 24 bits, never 0 but for Unseen; set by Plan::assignIds
  format::SiteKind kind = format::SiteKind::Load;
  std::string expression;            ///< what is accessed, or the address of it, on one line
  std::string reason;                ///< why an Unseen site is not counted
  std::string function;              ///< qualified name of the function that holds it
  std::string file;                  ///< as the compiler was given it
  std::string source;                ///< text of the source line
  unsigned line = 0, column = 0;     ///< 1-based
  unsigned width = 0;                ///< bytes of the expression on that line
  unsigned bytes = 0;                ///< of one lane's element; 0 where they depend on template arguments
  std::optional<std::size_t> region; ///< index in the plan of the innermost region whose text holds it
  std::string path;                  ///< key of the file in the plan
  unsigned offset = 0, end = 0;      ///< bytes in that file
  bool isCompiled = false;           ///< its instructions are up to the compiler: no call, atomic, or inline assembly
  bool runsOnce = false;             ///< a warp executes it at most once a launch
  std::string object;                ///< text of what it is a part of: "a[i]" of a[i].x, "p" of p[3]
  std::optional<unsigned> place;     ///< bytes from the object's begin, where that is known
  SiteMachine machine;
};

/// SiteAt::word.
inline std::uint32_t wordOf(const Site &site) { return site.id | (site.runsOnce ? kRunsOnce : 0); }

} // namespace kperf

#endif
