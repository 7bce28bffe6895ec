// Turns a command's sources into instrumented copies.
#include "tool/cc/Instrument.h"

#include "tool/cc/Build.h"
#include "tool/cc/Messages.h"
#include "tool/cc/ProfiledBuild.h"
#include "tool/cc/SourceRequest.h"
#include "tool/cc/StandardInput.h"
#include "tool/cc/Unrecorded.h"
#include "tool/machine/PlainBuild.h"
#include "tool/process/SaidDiagnostics.h"
#include "tool/process/Spawn.h"
#include "tool/process/WriteText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

namespace kperf::cc {
namespace {

RewriteRequest requestFor(const InstrumentJob &job, const Selection &selection, const Input &input, const SourceCopy &copy,
                          llvm::StringRef root) {
  RewriteRequest request = cc::requestFor(job.command, input, job.compiler);
  request.includeDirectory = job.installation.include;
  request.probes = job.options.instrument ? job.options.probes : std::vector<std::string>();
  if (job.options.instrument)
    request.selection = selection;
  steer(request, job.options);
  request.outputDirectory = copy.folder();
  request.overlay.directory = root.str();
  request.lineDirective = true;
  request.strict = job.options.strict;
  request.colour = llvm::errs().has_colors();
  return request;
}

/// What the rewriter is to call the input.
std::string nameOf(const Input &input) { return input.isStandardInput() ? kStandardInputName.str() : input.path; }

/// The first error of a source that Clang can't read, for a warning; nothing when the failure is to stop the build.
std::optional<std::string> reasonToGoOn(const llvm::Error &error, bool strict) {
  std::optional<std::string> reason;
  if (strict || !error.isA<RewriteFailure>())
    return reason;
  llvm::visitErrors(error, [&](const llvm::ErrorInfoBase &base) {
    const auto &failure = static_cast<const RewriteFailure &>(base);
    if (!failure.isUnreadable || failure.diagnostics.empty())
      return;
    const RewriteDiagnostic &first = failure.diagnostics.front();
    reason = first.file.empty() ? first.message
                                : first.file + ":" + llvm::utostr(first.line) + ":" + llvm::utostr(first.column) + ": " + first.message;
    if (!first.cure.empty())
      *reason += ": " + first.cure;
  });
  return reason;
}

/// Prints what is said in any case, and returns what the compiler says more about where it fails.
std::string say(const RewriteResult &result, llvm::StringRef source, SaidDiagnostics &said) {
  std::string later;
  for (const RewriteDiagnostic &diagnostic : result.diagnostics)
    if (result.isUnread && !diagnostic.isMistake)
      later += printable(diagnostic.rendered);
    else if (said.isNew(diagnostic.rendered, source))
      llvm::errs() << printable(diagnostic.rendered);
  return later;
}

/// Copies for the user, beside each other: the source under its own name, headers under their whole path.
llvm::Error saveRewritten(llvm::StringRef folder, const Input &input, const RewriteResult &result) {
  auto below = [&](llvm::StringRef path) {
    llvm::SmallString<256> target(folder);
    llvm::sys::path::append(target, llvm::sys::path::relative_path(path));
    return target.str().str();
  };
  const llvm::StringRef path = input.isStandardInput() ? "stdin" : llvm::StringRef(input.path);
  const bool inside = !llvm::sys::path::is_absolute(path) && !path.contains("..");
  if (auto error = process::writeText(below(inside ? path : llvm::sys::path::filename(path)), result.text))
    return error;
  for (const OverlayFile &header : result.overlay)
    if (auto error = process::writeText(below(header.path), header.text))
      return error;
  return llvm::Error::success();
}

/// Whether nvcc refuses the command before it reads a source. Then Clang was told the same, and has more to say of it.
bool isCommandRefused(const InstrumentJob &job) {
  if (job.command.dialect != Dialect::Nvcc || job.options.compiler == kNvrtc)
    return false;
  using enum process::SpawnOptions::Stream;
  std::vector<std::string> words = {job.compiler, "--dryrun"};
  llvm::append_range(words, job.options.arguments);
  const auto end = process::spawn(job.compiler, words, {.input = Nowhere, .output = Nowhere, .error = Nowhere});
  return end && !end->ok();
}

std::string prologueOf(const InstrumentJob &job, const RewriteResult &result) {
  if (!job.options.instrument)
    return {};
  return job.options.compiler == kNvrtc ? prologueForNvrtc(result.macros) : prologueFor(job.installation, result.macros);
}

/// One source in the making.
struct Source {
  const Input &input;
  std::string name, root;
  SourceCopy copy;
  std::string whyUnchecked; ///< its accesses are counted without a look at its machine code; empty: they are not

  Source(const InstrumentJob &job, std::size_t index)
      : input(job.command.inputs[index]), name(nameOf(input)), root(job.workFolder + "/" + llvm::utostr(index)), copy(name, root) {}
};

/// Rewrites while the compiler makes machine code of the source as it is, where that says what memory probes are to count.
llvm::Expected<RewriteResult> rewriteBesidePlainBuild(const InstrumentJob &job, Source &source, RewriteRequest &request) {
  const Options &options = job.options;
  if (!options.machineCode || !options.instrument || job.command.dialect != Dialect::Nvcc || !llvm::is_contained(options.probes, "memory"))
    return rewrite(request);
  machine::PlainBuild plain(job.command, source.input, job.compiler, includeOptions(job.installation), job.workFolder, options.verbose);
  request.machineCode = [&] { return plain.wait(); };
  auto result = rewrite(request);
  source.whyUnchecked = plain.why();
  return result;
}

void sayUnchecked(const Source &source) {
  if (!source.whyUnchecked.empty())
    sayWarning("'" + source.name +
               "': memory accesses are counted as the source has them, though the compiler may merge, narrow, move or remove some: its "
               "machine code can't be looked at: " +
               source.whyUnchecked + "; --no-machine-code counts so without this warning");
}

llvm::Expected<RewriteResult> rewriteSource(const InstrumentJob &job, const Selection &selection, Source &source,
                                            llvm::ArrayRef<RegionPlace> leftOut) {
  RewriteRequest request = requestFor(job, selection, source.input, source.copy, source.root);
  request.leftOut = leftOut.vec();
  if (source.input.isStandardInput()) {
    auto text = keepStandardInput();
    if (!text)
      return text.takeError();
    request.input = source.name;
    request.overrides.push_back({source.name, std::move(*text)});
  }
  return rewriteBesidePlainBuild(job, source, request);
}

llvm::Error writeSource(const InstrumentJob &job, Source &source, const RewriteResult &result) {
  if (auto error = source.copy.write(result, prologueOf(job, result)))
    return error;
  return job.options.saveRewritten.empty() ? llvm::Error::success() : saveRewritten(job.options.saveRewritten, source.input, result);
}

} // namespace

llvm::Expected<Instrumented> instrument(const InstrumentJob &job) {
  auto selection = makeSelection(job.options.selection);
  if (!selection)
    return selection.takeError();
  Instrumented out;
  SaidDiagnostics said;
  for (std::size_t i = 0; i < job.command.inputs.size(); ++i) {
    if (!job.command.inputs[i].isDevice())
      continue;
    Source source(job, i);
    auto result = rewriteSource(job, *selection, source, {});
    if ((!result || !result->diagnostics.empty()) && isCommandRefused(job)) {
      llvm::consumeError(result.takeError());
      out.isUnread = true;
      return out;
    }
    if (!result) {
      llvm::Error error = result.takeError();
      const auto reason = reasonToGoOn(error, job.options.strict || job.command.dialect == Dialect::Host);
      if (!reason)
        return error;
      llvm::consumeError(std::move(error));
      sayWarning("'" + source.name + "' is compiled as it is, without probes, for clang can't read it: " + *reason +
                 "; --strict stops here");
      out.isUnread = true;
      continue;
    }
    out.isUnread |= result->isUnread;
    out.warnings += say(*result, source.name, said);
    if (!result->isUnread && !result->hasMistake()) { // else the compiler says more
      sayUnchecked(source);
      noteUnrecordedSource(job.options, job.command, source.name, *result);
    }
    if (result->kernels > 0 && !result->records && out.whyUnrecorded.empty())
      out.whyUnrecorded = result->whyUnrecorded.empty() ? "the warnings say why" : result->whyUnrecorded;
    sayDecided(*result, source.name, job.options);
    if (job.options.verbose)
      sayNote("'" + source.name + "': " + countOf(result->regions.size(), "region") + ", " + countOf(result->overlay.size(), "header") +
              " changed");
    if (!result->changed)
      continue;
    if (auto error = writeSource(job, source, *result))
      return error;
    out.copies.emplace(i, std::move(source.copy));
  }
  for (const std::string &line : said.repetitions())
    sayNote(line);
  return out;
}

llvm::Expected<std::optional<SourceCopy>> instrumentWithout(const InstrumentJob &job, std::size_t input,
                                                            llvm::ArrayRef<RegionPlace> leftOut) {
  auto selection = makeSelection(job.options.selection);
  if (!selection)
    return selection.takeError();
  Source source(job, input);
  llvm::sys::fs::remove_directories(source.root); // headers of the last copy that this one may not have
  rewindStandardInput();
  auto result = rewriteSource(job, *selection, source, leftOut);
  if (!result)
    return result.takeError();
  if (!result->changed)
    return std::nullopt;
  if (auto error = writeSource(job, source, *result))
    return error;
  return std::move(source.copy);
}

} // namespace kperf::cc
