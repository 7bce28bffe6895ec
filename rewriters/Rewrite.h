// The one entry of the rewriter library: a source file and its compile flags in, instrumented text and region table out.
#ifndef KPERF_REWRITERS_REWRITE_H
#define KPERF_REWRITERS_REWRITE_H

#include "rewriters/machine/MachineCode.h"
#include "rewriters/parse/Diagnostic.h"
#include "rewriters/pattern/ProfileDecision.h"
#include "rewriters/pattern/Selection.h"
#include "rewriters/plan/Region.h"
#include "rewriters/plan/RegionPlace.h"
#include "rewriters/plan/Site.h"
#include "rewriters/source/FileText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <string>
#include <vector>

namespace kperf {

enum class Target { Cuda, Hip, Host };

/// What becomes of headers that have to be rewritten: copies of them, in an overlay.
struct OverlayRequest {
  std::string directory;           ///< its root; empty: annotated headers are an error
  bool moveForcedIncludes = false; ///< the command can be made to include copies (ForcedIncludes.h)
  bool isShared = false;           ///< with other sources, which name the headers in ways of their own
  bool isOwn = false;              ///< this source's alone: the copies need not be as others make them
};

struct RewriteRequest {
  std::string input;                       ///< as the compiler is given it; rows of the region table repeat it
  std::vector<FileText> overrides;         ///< contents that replace files
  std::vector<std::string> clangArguments; ///< -I, -D, -std, …: no input, language, architecture or toolkit options
  Target target = Target::Cuda;
  bool isHip = false;                           ///< the source is HIP's spelling, whatever the target
  std::string architecture;                     ///< "sm_90a", "gfx90a"; empty: the target's default
  std::string toolkit;                          ///< CUDA toolkit or ROCm folder; empty: found, and without one kperf's own headers serve
  std::string includeDirectory;                 ///< the folder that holds kperf/annotate.h; empty: found from the program
  std::vector<std::string> probes = {"region"}; ///< names of Rewriters.def; the host target's own edits are implied
  Selection selection;                          ///< what is timed besides annotations
  ProfileDecisions decisions;                   ///< what an earlier profile says of regions
  std::vector<RegionPlace> leftOut;             ///< regions, waits and signals that are not recorded, whatever asks for them
  std::string outputDirectory;                  ///< where the text will lie; empty: beside the input
  OverlayRequest overlay;
  bool lineDirective = false; ///< begin the texts with `#line 1 "original"`
  bool strict = false;        ///< an error of Clang outside the edited functions is an error too
  std::function<MachineCode()>
      machineCode;     ///< what the compiler makes of the source without probes; asked once, where accesses are counted; may be empty
  bool colour = false; ///< colour in rendered diagnostics
};

/// A header that has to be read from the overlay: it holds edits, or includes one that does.
struct OverlayFile {
  std::string path; ///< absolute; the copy belongs at OverlayRequest::directory + path
  std::string text;
  std::vector<std::string> forcedAs; ///< its names on the command line, where that includes it before the source
  bool isForced() const { return !forcedAs.empty(); }
  std::string original; ///< `path`, unless the source includes that file more than once, with other macros
};

struct RewriteResult {
  std::string text;                 ///< of the main file
  bool records = false;             ///< there is something to record: a region, an access, or launches as the user asked
  bool registers = false;           ///< with the runtime, which lists launches, though nothing else may be recorded
  std::string whyUnrecorded;        ///< "its kernels have …"; empty where there is something to record, or the warnings say why not
  std::size_t kernels = 0;          ///< __global__ functions with a body, templates counted once
  bool isUnread = false;            ///< Clang can't read all of what was to be edited: that is left as it is, and the warnings say so
  bool changed = false;             ///< false: `text` is the input, byte for byte
  std::vector<Region> regions;      ///< rows of the table, in the order of the text
  std::vector<SkippedSite> skipped; ///< what the selection chose and nothing times, in the order of the text
  std::vector<Site> sites;          ///< memory accesses, in the order of the text; those that no probe sees too
  std::vector<OverlayFile> overlay;
  std::vector<std::string> overlayDirectories; ///< folders that must exist below the overlay's root, absolute
  /// Of the command, and of files that it includes, those that may be names in kperf's headers, which they must not reach.
  std::vector<std::string> macros;
  DecidedRegions decided;                     ///< what became of regions by the request's decisions
  std::vector<FileRead> filesRead;            ///< the input and every header, but not what the request overrides
  std::vector<RewriteDiagnostic> diagnostics; ///< warnings

  bool hasMistake() const {
    return llvm::any_of(diagnostics, [](const RewriteDiagnostic &each) { return each.isMistake; });
  }
};

/// Why nothing was rewritten: what Clang and kperf had to say, errors among it.
class RewriteFailure : public llvm::ErrorInfo<RewriteFailure> {
public:
  static char ID;
  std::vector<RewriteDiagnostic> diagnostics;
  bool isUnreadable = false; ///< Clang could not read the source, which the vendor's compiler may: no one's mistake

  explicit RewriteFailure(std::vector<RewriteDiagnostic> diagnostics, bool isUnreadable = false)
      : diagnostics(std::move(diagnostics)), isUnreadable(isUnreadable) {}
  /// All rendered diagnostics, one after the other.
  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
};

/// Instruments one source file. Reads files, writes none. Same request, same result. Fails with a RewriteFailure.
llvm::Expected<RewriteResult> rewrite(const RewriteRequest &request);

} // namespace kperf

#endif
