// Loads the shared libraries that --load names, and takes their rewriters.
#include "rewriters/Plugin.h"

#include "llvm/Support/DynamicLibrary.h"

#include <cstring>

using namespace llvm;

namespace kperf {

Error loadPlugin(StringRef path) {
  std::string reason;
  // A name without a folder would be looked for where the system keeps its libraries.
  std::string file = path.contains('/') ? path.str() : "./" + path.str();
  sys::DynamicLibrary library = sys::DynamicLibrary::getPermanentLibrary(file.c_str(), &reason);
  if (!library.isValid())
    return createStringError("can't load plug-in '" + path + "': " + reason);
  const auto *plugin = static_cast<const RewriterPlugin *>(library.getAddressOfSymbol("kperf_plugin"));
  if (!plugin)
    return createStringError("'" + path + "' is no plug-in: it has no KPERF_REWRITER_PLUGIN");
  if (std::strcmp(plugin->version, KPERF_VERSION) != 0)
    return createStringError("plug-in '" + path + "' was built for kperf " + plugin->version +
                             ", this is " KPERF_VERSION ": build it again");
  for (const Rewriter &rewriter : ArrayRef(plugin->rewriters, plugin->count))
    if (!addRewriter(rewriter))
      return createStringError("plug-in '" + path + "' brings a rewriter named '" + rewriter.name + "', which there is already");
  return Error::success();
}

} // namespace kperf
