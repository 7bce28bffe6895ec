// Rewriters that come from outside: shared libraries that kperf-rewrite --load takes. A plug-in includes this and needs no more.
#ifndef KPERF_REWRITERS_PLUGIN_H
#define KPERF_REWRITERS_PLUGIN_H

#include "rewriters/construct/SyncConstruct.h"
#include "rewriters/rewriter/Rewriter.h"
#include "rewriters/unit/StatementEdit.h"
#include "rewriters/unit/StatementShape.h"

#include <kperf/version.h>

#include "llvm/Support/Error.h"

namespace kperf {

/// What a plug-in's `extern "C" const kperf::RewriterPlugin kperf_plugin` holds. KPERF_REWRITER_PLUGIN writes it.
struct RewriterPlugin {
  const char *version; ///< of the kperf whose headers it was built with
  const Rewriter *rewriters;
  unsigned count;
};

/// Adds a library's rewriters to those that --probes takes. It stays loaded. Fails when it can't be loaded, is no plug-in,
/// was built for another version of kperf, or names a rewriter that there is already.
llvm::Error loadPlugin(llvm::StringRef path);

} // namespace kperf

/// Stands once in a plug-in: `KPERF_REWRITER_PLUGIN({"name", "what it does", function}, …)`.
#define KPERF_REWRITER_PLUGIN(...)                                                                                                         \
  static constexpr kperf::Rewriter kperfPluginRewriters[] = {__VA_ARGS__};                                                                 \
  extern "C" __attribute__((visibility("default"))) const kperf::RewriterPlugin kperf_plugin;                                              \
  const kperf::RewriterPlugin kperf_plugin = {KPERF_VERSION, kperfPluginRewriters, sizeof(kperfPluginRewriters) / sizeof(kperf::Rewriter)};

#endif
