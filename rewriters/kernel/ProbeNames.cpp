// Looks the names up in the list of probes, kperf/rules/Probes.h.
#include "rewriters/kernel/ProbeNames.h"

#include "llvm/Support/ErrorHandling.h"

#include <kperf/rules/Probes.h>

namespace kperf {

ProbeNames probeNames(RecordPart part) {
  switch (part) {
#define KPERF_KERNEL_NAMES(part, recordingLanes, scope, range, wait, begins, ends, marks, signals)                                         \
  case RecordPart::part:                                                                                                                   \
    return {"kperf_kernel", #scope, #range, #wait, #begins, #ends, #marks, #signals};
#define KPERF_FUNCTION_NAMES(part, scope, wait, begins, ends, marks, signals)                                                              \
  case RecordPart::part:                                                                                                                   \
    return {"", #scope, "", #wait, #begins, #ends, #marks, #signals};
#define KPERF_STREAM_NAMES(part, scope, range, wait, begins, ends, marks, signals)                                                         \
  case RecordPart::part:                                                                                                                   \
    return {"kperf_stream", #scope "<decltype(kperf_stream)>", #range, #wait "<decltype(kperf_stream)>", #begins, #ends, #marks, #signals};
    KPERF_PROBES(KPERF_KERNEL_NAMES, KPERF_FUNCTION_NAMES, KPERF_STREAM_NAMES, KPERF_FUNCTION_NAMES)
#undef KPERF_KERNEL_NAMES
#undef KPERF_FUNCTION_NAMES
#undef KPERF_STREAM_NAMES
  case RecordPart::Sum:
    return {"kperf_kernel", "SumScope", "SumRange", "", "", "", "", ""};
  case RecordPart::Frame:
    return {"kperf_frame", "FrameScope", "", "", "", "", "", ""};
  }
  llvm_unreachable("a part without a name");
}

} // namespace kperf
