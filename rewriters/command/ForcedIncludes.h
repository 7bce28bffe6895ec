// Replaces headers that a command line includes before the source (-include, precompiled headers) by their copies.
#ifndef KPERF_REWRITERS_FORCEDINCLUDES_H
#define KPERF_REWRITERS_FORCEDINCLUDES_H

#include "rewriters/command/CommandLine.h"

#include <map>
#include <string>
#include <vector>

namespace kperf {

/// From a header's name, as the command line spells it, to the path of its copy. Names and not paths: whether a name is
/// found beside the source or on an include path, Clang has answered.
using HeaderCopies = std::map<std::string, std::string>;

/// Makes a command include the copies instead, and not as precompiled headers: those hold the originals. Words of
/// Dialect::Host are those of a plain C++ compiler alone. Returns warnings, one line each: of headers that are included
/// in another way.
std::vector<std::string> replaceForcedIncludes(std::vector<std::string> &words, Dialect dialect, const HeaderCopies &copies);

} // namespace kperf

#endif
