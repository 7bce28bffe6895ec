// Registers the translation unit with the runtime, which then knows its launches, and leaves its kernels alone.
#include "rewriters/rewriter/Rewriter.h"

namespace kperf {

RewriterResult planLaunchList(const RewriteContext &context) {
  PlanAdditions additions(context.plan);
  additions.needModule();
  return additions;
}

} // namespace kperf
