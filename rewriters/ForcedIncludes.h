// Headers that a command line includes before the source, -include and precompiled ones, and what stands in for them.
#ifndef KPERF_REWRITERS_FORCEDINCLUDES_H
#define KPERF_REWRITERS_FORCEDINCLUDES_H

#include <map>
#include <string>
#include <vector>

namespace kperf {

/// From a header's absolute path to that of its copy.
using HeaderCopies = std::map<std::string, std::string>;

/// Makes a command of nvcc or of a GNU-like compiler include the copies instead, and not as precompiled headers: those hold the
/// originals. The command is run in `folder`; empty: in the current one.
void replaceForcedIncludes(std::vector<std::string> &words, const HeaderCopies &copies, const std::string &folder = {});

} // namespace kperf

#endif
