// Reads the request, and lists the kernels that may record events.
#include "rewriters/ProbeChoice.h"

#include "rewriters/rewriter/Rewriter.h"

#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kperf {

namespace {

bool isAsked(const RewriteRequest &request, StringRef probe) { return is_contained(request.probes, probe); }

/// Whether the probes are built in a way in which all that a kernel records goes through its object.
bool isThroughObjects(const RewriteRequest &request) {
  return any_of(request.clangArguments,
                [](StringRef argument) { return argument.contains("KPERF_SWITCHABLE") || argument.contains("KPERF_SHARED_BUFFER"); });
}

bool isRelocatable(const RewriteRequest &request) { return is_contained(request.clangArguments, "-fgpu-rdc"); }

KnownInstances knownInstances(const RewriteRequest &request) {
  if (isRelocatable(request))
    return KnownInstances::None;
  return request.overlay.isOwn ? KnownInstances::All : KnownInstances::OfMainFile;
}

/// How many of the rewriters asked for record events.
std::ptrdiff_t countOfRecorders(const RewriteRequest &request) {
  return count_if(allRewriters(), [&](const Rewriter &rewriter) { return rewriter.recordsEvents && isAsked(request, rewriter.name); });
}

/// Those whose own bodies may record events.
std::vector<const clang::FunctionDecl *> recordingKernels(ArrayRef<AnnotatedFunction> annotated, const SyncEvents &syncEvents) {
  std::vector<const clang::FunctionDecl *> kernels;
  const auto add = [&](const clang::FunctionDecl *function) {
    if (function->hasAttr<clang::CUDAGlobalAttr>())
      kernels.push_back(function);
  };
  for (const AnnotatedFunction &holder : annotated)
    add(holder.function);
  for (const SyncEvents::Function &function : syncEvents.functions)
    add(function.holder.function);
  return kernels;
}

} // namespace

KernelProbes chooseProbes(const RewriteRequest &request, const TranslationUnit &unit, const AnnotatedFunctions &annotated,
                          const SyncEvents &syncEvents, Instantiator instantiator) {
  const ArrayRef<AnnotatedFunction> holders = isAsked(request, "region") ? ArrayRef(annotated.functions) : ArrayRef<AnnotatedFunction>();
  KernelUniformity uniformity(unit, std::move(instantiator), knownInstances(request), recordingKernels(holders, syncEvents));
  const ProbeSetting setting{.copiesKernels = request.selection.sample > 0,
                             .sharesRecords = countOfRecorders(request) <= 1,
                             .haveStreams = request.target == Target::Cuda,
                             .isThroughObjects = isThroughObjects(request),
                             .sharesHeaders = request.overlay.isShared,
                             .ownsHeaders = request.overlay.isOwn,
                             .isRelocatable = isRelocatable(request),
                             .isHost = request.target == Target::Host,
                             .samplesIterations = request.target != Target::Host};
  std::vector<FunctionEvents> events;
  if (request.target == Target::Cuda) // others have no streams
    events = syncEvents.forStreams(unit);
  FunctionStreams streams = streamsFor(setting);
  streams.choose(unit, uniformity, holders, events);
  return {setting, std::move(streams), std::move(uniformity)};
}

} // namespace kperf
