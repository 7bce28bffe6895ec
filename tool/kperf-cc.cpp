// kperf-cc: the wrapper compiler. Options in, a build, the compiler's exit code out.
#include "tool/cc/Build.h"
#include "tool/cc/Messages.h"
#include "tool/cc/ProfiledBuild.h"
#include "tool/plain/DeviceStep.h"
#include "tool/process/DeepStack.h"

#include "rewriters/rewriter/Rewriter.h"

#include "llvm/Support/CrashRecoveryContext.h"

#include <csignal>

namespace {

using namespace kperf::cc;

int explain(llvm::Error error) {
  llvm::handleAllErrors(
      std::move(error), [](const kperf::RewriteFailure &failure) { llvm::errs() << printable(failure.message()); },
      [](const llvm::ErrorInfoBase &other) { sayError(other.message()); });
  return kExitTrouble;
}

/// That --probes names rewriters.
llvm::Error checkProbes(const Options &options) {
  for (const std::string &probe : options.probes)
    if (!kperf::rewriterNamed(probe))
      return llvm::createStringError("--probes=%s: %s", probe.c_str(), kperf::unknownRewriter(probe).c_str());
  return llvm::Error::success();
}

/// Ends as the compiler ended, so that a build stops on Ctrl-C as it would without us.
int endLike(const ProcessEnd &end) {
  if (end.signal == 0)
    return end.exitCode;
  std::signal(end.signal, SIG_DFL);
  raise(end.signal);
  return 128 + end.signal;
}

int build(const Options &options, const char *programName) {
  auto installation = Installation::find(programName);
  if (!installation)
    return explain(installation.takeError());
  auto end = options.compiler == kNvrtc   ? rewriteForNvrtc(options, *installation)
             : options.compiler == "host" ? buildForHost(options, *installation)
                                          : buildWithVendor(options, *installation);
  return end ? endLike(*end) : explain(end.takeError());
}

} // namespace

int main(int argc, char **argv) {
  if (kperf::plain::isDeviceStep(argv[0]))
    return kperf::plain::runDeviceStep(std::vector<std::string>(argv, argv + argc));
  kperf::deepenStack();
  llvm::CrashRecoveryContext::Enable(); // for what rewriters let Clang instantiate (rewriters/kernel/KernelUniformity.h)
  auto options = parseOptions(std::vector<std::string>(argv + 1, argv + argc));
  if (!options)
    return explain(options.takeError());
  if (options->help) {
    llvm::outs() << helpText();
    return 0;
  }
  if (options->version) {
    llvm::outs() << "kperf-cc " << KPERF_VERSION << "\n";
    return 0;
  }
  if (auto error = checkProbes(*options))
    return explain(std::move(error));
  if (auto error = readProfiles(*options))
    return explain(std::move(error));
  return build(*options, argv[0]);
}
