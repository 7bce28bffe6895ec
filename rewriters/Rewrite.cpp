// Rewrites one source: parses it, plans the edits, refuses conflicts, writes the text, and parses that again.
#include "rewriters/Rewrite.h"

#include "rewriters/IdleRequests.h"
#include "rewriters/ProbeChoice.h"
#include "rewriters/Toolkit.h"
#include "rewriters/command/CommandLine.h"
#include "rewriters/command/ForcedIncludes.h"
#include "rewriters/kernel/KernelProbes.h"
#include "rewriters/kernel/RefusedRegions.h"
#include "rewriters/machine/Attribution.h"
#include "rewriters/parse/FrontEnd.h"
#include "rewriters/plan/Plan.h"
#include "rewriters/plan/PlanAdditions.h"
#include "rewriters/plan/RegionTable.h"
#include "rewriters/rewriter/Rewriter.h"
#include "rewriters/rewriter/SyncEvents.h"
#include "rewriters/select/ProfileSites.h"
#include "rewriters/select/RuleSelector.h"
#include "rewriters/source/ContentHash.h"
#include "rewriters/source/Path.h"
#include "rewriters/source/PreprocessedText.h"
#include "rewriters/source/StoredFile.h"
#include "rewriters/unit/AnnotatedFunction.h"
#include "rewriters/unit/MisreadFunctions.h"
#include "rewriters/unit/Overlay.h"
#include "rewriters/unit/ProbeMacros.h"
#include "rewriters/unit/TranslationUnit.h"
#include "rewriters/unit/UnseenCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

#include <map>
#include <set>

using namespace llvm;

namespace kperf {

char RewriteFailure::ID;

void RewriteFailure::log(raw_ostream &out) const {
  for (const RewriteDiagnostic &diagnostic : diagnostics)
    out << diagnostic.rendered;
}

namespace {

/// What has no place in a source, as Clang writes it.
RewriteDiagnostic unplaced(Severity severity, const Twine &message, bool colour) {
  RewriteDiagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.message = message.str();
  raw_string_ostream out(diagnostic.rendered);
  out.enable_colors(colour);
  const ColorMode mode = colour ? ColorMode::Enable : ColorMode::Disable;
  (severity == Severity::Error ? WithColor(out, HighlightColor::Error, mode) << "error: "
                               : WithColor(out, HighlightColor::Warning, mode) << "warning: ");
  WithColor(out, raw_ostream::SAVEDCOLOR, /*Bold=*/true, /*BG=*/false, mode) << diagnostic.message;
  out << '\n';
  return diagnostic;
}

class Rewriting {
public:
  explicit Rewriting(const RewriteRequest &request) : request(request), log(request.colour) {}

  Expected<RewriteResult> run() {
    for (const std::string &probe : request.probes)
      if (!rewriterNamed(probe))
        return failure(unknownRewriter(probe));
    if (Error error = findInput())
      return error;
    Expected<ParseSetup> found = parseSetup(request);
    if (!found)
      return failure(toString(found.takeError()));
    setup = std::move(*found);
    parse();
    if (wasParsed && (StringRef(plan.files().at(mainPath).text).contains("\nKPERF_REGIONS(") ||
                      StringRef(plan.files().at(mainPath).text).contains("\nKPERF_SITES(") ||
                      StringRef(plan.files().at(mainPath).text).contains("\nKPERF_NO_REGIONS")))
      return failure("'" + request.input + "' is instrumented already: give the original");
    if (Error error = judge())
      return error;
    compose();
    if (result.changed)
      if (Error error = readBack())
        return withoutSelection(std::move(error));
    if (request.lineDirective)
      addLineDirectives();
    return std::move(result);
  }

private:
  RewriteDiagnostic wholeRun(Severity severity, const Twine &message) const { return unplaced(severity, message, request.colour); }
  Error failure(const Twine &message) const { return make_error<RewriteFailure>(std::vector{wholeRun(Severity::Error, message)}); }

  /// Clang says so too, in four messages that end with missing flags.
  Error findInput() const {
    if (const auto given = find_if(request.overrides, [&](const FileText &file) { return file.path == request.input; });
        given != request.overrides.end())
      return checkText(given->text);
    if (!sys::fs::exists(request.input))
      return failure("no such file or directory: '" + request.input + "': expected a CUDA or HIP source");
    if (sys::fs::is_directory(request.input))
      return failure("'" + request.input +
                     "' is a folder: expected a CUDA or HIP source, or with -p a folder that holds "
                     "compile_commands.json");
    if (isEndless(request.input)) // the vendor's compiler may read it, and once only
      return unreadable("is a pipe or a device, which can't be read twice: expected a file");
    ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(request.input);
    return checkText(file ? (*file)->getBuffer() : StringRef()); // which Clang would say more about
  }

  Error checkText(StringRef text) const {
    if (!isPreprocessedName(request.input) && !isPreprocessedText(text))
      return Error::success();
    return unreadable("is preprocessed, which takes the annotations out and leaves no place for the probes' headers: give the source, not "
                      "the output of -E");
  }

  /// The vendor's compiler can take the input.
  Error unreadable(StringRef reason) const {
    return make_error<RewriteFailure>(std::vector{wholeRun(Severity::Error, "'" + request.input + "' " + reason)}, /*isUnreadable=*/true);
  }

  void parse() {
    FrontEndJob job{setup.command, setup.files, {}, setup.prelude, setup.folders};
    if (request.target != Target::Host)
      job.isLookedInto = [&](StringRef path) { return anyMatchesPath(request.selection.headers, path); };
    job.checkpoints = &checkpoints;
    append_range(job.files, request.overrides);
    job.command.push_back(request.input);
    result.filesRead = runFrontEnd(job, log, [&](const ParsedFile &parsed) {
      wasParsed = true;
      const TranslationUnit unit(parsed, request.input, request.selection, request.strict);
      mainPath = unit.pathOf(unit.sources.getMainFileID());
      plan.addFile(mainPath, unit.fileAt(mainPath));
      result.macros = macrosToHide(parsed.preprocessing);
      AnnotatedFunctions annotated = findSites(unit);
      if (isAsked("region"))
        refuseRegions(unit, annotated);
      const SyncEvents syncEvents = isAsked("sync") ? SyncEvents(unit, request.leftOut) : SyncEvents();
      const KernelProbes kernels = chooseProbes(request, unit, annotated, syncEvents, Instantiator(parsed.sema));
      planProbes({unit, annotated, plan, kernels, syncEvents});
      warnOfUnseenAnnotations(unit, setup.architecture);
      plan.assignIds();
      redirectIncludes(unit);
      inevitableMacros = keepFromMacros(unit, parsed.sema.getPreprocessor(), plan);
      result.kernels = annotated.kernels.size();
      unsearched = unsearchedKernels(unit, annotated.kernels, plan);
      misread = errorsInEditedFunctions(unit, plan, annotated, isAsked("memory") || isAsked("sync"), log.entries());
      result.isUnread = !misread.empty();
      for (const std::string &conflict : plan.conflicts())
        parsed.reporter.error({}, conflict);
    });
    for (const auto &[path, file] : overlay.unseen)
      result.filesRead.push_back({path, contentHash(file.text)});
  }

  std::vector<std::string> macrosToHide(const PreprocessingRecord &preprocessing) const {
    std::vector<std::string> macros = definedMacros(request.clangArguments);
    for (const auto &[name, file] : preprocessing.commandMacros)
      if (!is_contained(macros, name) && none_of(setup.folders, [path = absolutePath(file)](StringRef folder) {
            return StringRef(path).starts_with(folder); // kperf's own, which it includes first, or a toolkit's
          }))
        macros.push_back(name);
    return macrosAmongNames(std::move(macros));
  }

  /// What declares the probes for Clang.
  std::string declarations() const { return withoutMacros("#include <kperf/clang/probe_declarations.h>\n", result.macros); }

  void add(const TranslationUnit &unit, PlanAdditions additions) {
    plan.add(std::move(additions), [&](StringRef path) -> const SourceFile & {
      const auto unseen = overlay.unseen.find(path.str());
      return unseen == overlay.unseen.end() ? unit.fileAt(path) : unseen->second;
    });
  }

  /// What annotations and rules ask for, and earlier profiles leave.
  AnnotatedFunctions findSites(const TranslationUnit &unit) {
    PlanAdditions additions(plan);
    RuleSelector selector(unit);
    AnnotatedFunctions annotated = findAnnotatedFunctions(unit, selector);
    for (SkippedSite &site : selector.skipped)
      additions.skip(std::move(site));
    result.decided = applyDecisions(unit, additions, annotated.functions, request.decisions, request.leftOut);
    add(unit, std::move(additions));
    return annotated;
  }

  void planProbes(const RewriteContext &context) {
    const TranslationUnit &unit = context.unit;
    const std::vector<const clang::FunctionDecl *> &kernels = context.annotated.kernels;
    KernelNeeds needs;
    planChosen(context, /*recordEvents=*/true, needs);
    add(unit, context.kernels.plan(unit, plan, needs, kernels));
    planChosen(context, /*recordEvents=*/false, needs);
    add(unit, context.kernels.planCopies(unit, plan, needs, kernels));
    if (request.target == Target::Host)
      for (const Rewriter &rewriter : hostRewriters())
        add(unit, rewriter.plan(context).plan);
  }

  void redirectIncludes(const TranslationUnit &unit) {
    overlay = planOverlay(unit, plan, request.overlay.directory, request.outputDirectory, request.overlay.moveForcedIncludes);
    PlanAdditions additions(plan);
    for (Edit &edit : overlay.edits)
      additions.addEdit(std::move(edit));
    add(unit, std::move(additions));
    for (const std::string &path : overlay.files)
      if (!overlay.unseen.contains(path))
        plan.addFile(path, unit.fileAt(path));
  }

  bool isAsked(StringRef probe) const { return is_contained(request.probes, probe); }

  /// In the table's order, whatever the user's.
  void planChosen(const RewriteContext &context, bool recordEvents, KernelNeeds &needs) {
    for (const Rewriter &rewriter : allRewriters())
      if (rewriter.recordsEvents == recordEvents && isAsked(rewriter.name)) {
        RewriterResult result = rewriter.plan(context);
        needs.add(result.needs);
        add(context.unit, std::move(result.plan));
      }
  }

  /// Our own errors and a file that can't be trusted stop everything; of what Clang can't read otherwise only the statement at fault is not
  /// what the vendor's compiler reads.
  Error judge() {
    std::size_t theirs = 0, forgotten = 0;
    bool isHopeless = !wasParsed, hasOurs = false;
    for (const LoggedDiagnostic &entry : log.entries()) {
      hasOurs |= entry.isOurs && entry.severity == Severity::Error;
      if (entry.isOurs)
        continue;
      ++theirs;
      forgotten += entry.isForgotten;
      isHopeless |= entry.isFatal || entry.breaksStructure;
    }
    if (theirs && !setup.toolkitDoubt.empty())
      result.diagnostics.push_back(wholeRun(Severity::Warning, setup.toolkitDoubt));
    if (isHopeless || hasOurs || (theirs && request.strict)) {
      std::vector<RewriteDiagnostic> all(log.entries().begin(), log.entries().end());
      append_range(all, result.diagnostics);
      std::string cure = "give the flags that it is compiled with";
      if (!isHopeless)
        cure += "; if the compiler takes it with these, leave out --strict, and the functions that clang reads get their probes";
      if (theirs && (isHopeless || !hasOurs))
        all.push_back(wholeRun(Severity::Error,
                               "'" + request.input + "' does not parse (" + countOf(theirs, "error") + " from clang): " + log.cure(cure)));
      return make_error<RewriteFailure>(std::move(all), !hasOurs);
    }
    for (const LoggedDiagnostic &entry : log.entries())
      if (entry.isOurs)
        result.diagnostics.push_back(entry);
    if (auto warning = log.forgottenHeader())
      result.diagnostics.push_back(std::move(*warning));
    if (theirs > forgotten)
      warnOfTheirs(theirs);
    return Error::success();
  }

  /// Says in one line what Clang can't read; what it says of functions that are edited comes first.
  void warnOfTheirs(std::size_t count) {
    const LoggedDiagnostic *outside = nullptr, *inside = nullptr;
    for (std::size_t i = 0; i < log.entries().size(); ++i)
      if (const LoggedDiagnostic &entry = log.entries()[i]; !entry.isOurs) {
        const LoggedDiagnostic *&first = misread.contains(i) ? inside : outside;
        first = first ? first : &entry;
      }
    if (!outside && !inside)
      return;
    std::set<std::string> functions;
    for (const auto &[index, name] : misread)
      functions.insert("'" + name + "'");
    std::string where = " outside of the functions that are edited";
    if (inside)
      where = (outside ? ", " + std::to_string(misread.size()) + " of them" : std::string()) + " inside of " + join(functions, ", ") +
              ", which " + (functions.size() == 1 ? "was" : "were") + " to be edited,";
    const LoggedDiagnostic &first = inside ? *inside : *outside;
    const std::string place =
        first.file.empty() ? std::string() : " at " + first.file + ":" + std::to_string(first.line) + ":" + std::to_string(first.column);
    result.diagnostics.push_back(wholeRun(Severity::Warning, "'" + request.input + "': clang found " + countOf(count, "error") + where +
                                                                 " and the vendor's compiler may not, the first" + place + ": " +
                                                                 first.message + (first.cure.empty() ? "" : "; " + first.cure)));
  }

  /// Says what was asked for in vain, and why nothing is recorded where that is so.
  void warnOfIdleRequests() {
    result.skipped = plan.skipped();
    stable_sort(result.skipped, [](const SkippedSite &left, const SkippedSite &right) {
      return std::tie(left.file, left.line, left.column) < std::tie(right.file, right.line, right.column);
    });
    const Outcome outcome{request.probes, request.selection, plan, result.skipped, result.kernels, unsearched};
    const std::vector<std::string> idle = idleRequests(outcome);
    for (const std::string &sentence : idle)
      result.diagnostics.push_back(wholeRun(Severity::Warning, "'" + request.input + "': " + sentence));
    if (!result.records)
      result.whyUnrecorded = whyNothingIsRecorded(outcome, result.isUnread || !idle.empty());
  }

  void compose() {
    const bool isCounted = any_of(plan.sites(), [](const Site &site) { return site.kind != format::SiteKind::Unseen; });
    result.records = !plan.regions().empty() || isCounted || isAsked("launches");
    warnOfIdleRequests();
    result.changed = !plan.isEmpty();
    result.text = plan.textOf(mainPath);
    if (!result.changed)
      return;
    result.registers = plan.hasModule();
    result.regions = plan.regions();
    sort(result.regions, [&](const Region &left, const Region &right) {
      return std::tuple(left.path != mainPath, StringRef(left.path), left.offset, left.kind, StringRef(left.name)) <
             std::tuple(right.path != mainPath, StringRef(right.path), right.offset, right.kind, StringRef(right.name));
    });
    result.sites = plan.sites();
    stable_sort(result.sites, [&](const Site &left, const Site &right) {
      return std::tuple(left.path != mainPath, StringRef(left.path), left.offset, right.end) <
             std::tuple(right.path != mainPath, StringRef(right.path), right.offset, left.end);
    });
    if (request.machineCode && any_of(result.sites, [](const Site &site) { return site.kind != format::SiteKind::Unseen; })) {
      attributeMachineCode(request.machineCode(), result.sites);
      leaveOutUnexecuted();
    }
    if (request.selection.sample > 0)
      appendSampleOf(result.text, request.selection.sample);
    appendSiteTable(result.text, result.sites, plan.regions());
    if (!result.regions.empty())
      appendRegionTable(result.text, result.regions, plan.regions());
    else if (plan.hasModule())
      appendEmptyRegionTable(result.text);
    for (const std::string &path : overlay.files) {
      result.overlay.push_back({path, plan.textOf(path), {}, plan.files().at(path).original});
      if (const auto names = overlay.forced.find(path); names != overlay.forced.end())
        result.overlay.back().forcedAs.assign(names->second.begin(), names->second.end());
    }
    result.overlayDirectories = overlay.directories;
  }

  /// A site that has no instruction of its own has nothing to be counted, and needs no probe.
  void leaveOutUnexecuted() {
    std::set<std::uint32_t> ids;
    for (const Site &site : result.sites)
      if (site.machine.state == format::MachineState::Merged || site.machine.state == format::MachineState::Removed)
        ids.insert(site.id);
    plan.leaveOutEdits([&](std::uint32_t site) { return ids.contains(site); });
    result.text = plan.textOf(mainPath);
  }

  /// Parses what was composed, bodies in edited files only, and compares Clang's errors with those of the original.
  Error readBack() {
    // It stands where it will lie, for its #include lines are written for that place.
    SmallString<256> place(request.outputDirectory.empty() ? sys::path::parent_path(request.input) : StringRef(request.outputDirectory));
    sys::path::append(place, sys::path::filename(request.input));
    SmallString<256> absolutePlace(place);
    sys::fs::make_absolute(absolutePlace);
    sys::path::remove_dots(absolutePlace, /*remove_dot_dot=*/true);
    if (overlay.forced.empty() && isReadByCheckpoint(absolutePlace))
      return Error::success();
    FrontEndJob job{setup.command, setup.files, {absolutePlace.str().str()}, setup.prelude, setup.folders};
    erase(job.command, "-DKPERF_REWRITING");
    const std::string declared = "kperf/clang/read_back_declarations.h"; // a name that Clang can include, whatever the input's is
    job.files.push_back({setup.headers + "/" + declared, declarations()});
    append_range(job.command, std::vector<std::string>{"-include", declared, place.str().str()});
    for (const FileText &file : request.overrides)
      if (file.path != request.input)
        job.files.push_back(file);
    job.files.push_back({place.str().str(), withLineDirective(result.text, request.input)});
    HeaderCopies forced;
    for (const OverlayFile &file : result.overlay) {
      for (const std::string &name : file.forcedAs)
        forced.emplace(name, request.overlay.directory + file.path);
      job.files.push_back({request.overlay.directory + file.path, (file.isForced() ? declarations() : "") + file.text});
      job.onlyBodiesIn.push_back(request.overlay.directory + file.path);
    }
    replaceForcedIncludes(job.command, Dialect::Clang, forced);
    std::set<std::pair<unsigned, std::string>> known;
    for (const LoggedDiagnostic &entry : log.entries())
      known.emplace(entry.line, entry.message);
    DiagnosticLog again(request.colour);
    runFrontEnd(job, again, [](const ParsedFile &) {});
    std::vector<RewriteDiagnostic> added;
    for (const LoggedDiagnostic &entry : again.entries())
      if (!entry.isOurs && !known.contains({entry.line, entry.message}))
        added.push_back(entry);
    if (added.empty())
      return Error::success();
    if (!inevitableMacros.empty())
      added.insert(added.begin(),
                   wholeRun(Severity::Error, "macros of the source have names that its probes use: " + join(inevitableMacros, ", ") +
                                                 ": #undef them before the kernels, or give them other names"));
    added.push_back(wholeRun(Severity::Error, "'" + request.input +
                                                  "' does not parse once its probes are in: see the "
                                                  "errors above, in rewritten text"));
    return make_error<RewriteFailure>(std::move(added), /*isUnreadable=*/true);
  }

  /// The same without the headers that the source begins with, which a checkpoint has read already.
  bool isReadByCheckpoint(StringRef place) {
    std::vector<FileText> headers;
    for (const OverlayFile &file : result.overlay)
      headers.push_back({request.overlay.directory + file.path, file.text});
    // Under a name of its own, for Clang knows what lies at the place if that is the source's.
    return checkpoints.readBack(plan.files().at(mainPath).text, {(place + ".read-back").str(), result.text}, headers,
                                "#undef KPERF_REWRITING\n" + declarations());
  }

  /// What nobody asked for by an annotation must not keep a source from being built.
  Expected<RewriteResult> withoutSelection(Error error) {
    if (request.strict || request.selection.rules.empty())
      return error;
    std::string reason = "?";
    handleAllErrors(std::move(error), [&](const RewriteFailure &failure) {
      const RewriteDiagnostic &first = failure.diagnostics.front();
      reason = (first.file.empty() ? "" : first.file + ":" + std::to_string(first.line) + ": ") + first.message;
    });
    RewriteRequest annotationsOnly = request;
    annotationsOnly.selection = {};
    Expected<RewriteResult> again = Rewriting(annotationsOnly).run();
    if (again)
      again->diagnostics.push_back(wholeRun(Severity::Warning, "'" + request.input +
                                                                   "': nothing selected is timed, for "
                                                                   "clang can't read the text with those probes: " +
                                                                   reason + "; exclude what is there"));
    return again;
  }

  static std::string withLineDirective(std::string text, StringRef name) {
    std::size_t begin = StringRef(text).starts_with("\xef\xbb\xbf") ? 3 : 0;
    StringRef lineEnd = StringRef(text).contains("\r\n") ? "\r\n" : "\n";
    return text.insert(begin, ("#line 1 " + stringLiteral(name) + lineEnd).str());
  }

  void addLineDirectives() {
    if (result.changed)
      result.text = withLineDirective(std::move(result.text), request.input);
    for (OverlayFile &file : result.overlay)
      file.text = withLineDirective(std::move(file.text), request.overlay.isShared ? file.original : plan.files().at(file.path).name);
  }

  const RewriteRequest &request;
  ParseSetup setup;
  DiagnosticLog log;
  Checkpoints checkpoints;
  Plan plan;
  Overlay overlay;
  std::string mainPath;
  std::vector<UnsearchedKernel> unsearched;
  std::map<std::size_t, std::string> misread; ///< functions by index of the error in the log
  std::set<std::string> inevitableMacros;     ///< with names of probes
  bool wasParsed = false;
  RewriteResult result;
};

} // namespace

Expected<RewriteResult> rewrite(const RewriteRequest &request) { return Rewriting(request).run(); }

} // namespace kperf
