// Follows the include graph from edited headers up to the files that include them.
#include "rewriters/unit/Overlay.h"

#include "rewriters/source/Path.h"
#include "rewriters/source/QuotedNames.h"
#include "rewriters/unit/UnseenIncludes.h"

#include "clang/Basic/FileManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <map>
#include <set>

using namespace llvm;

namespace kperf {

namespace {

struct Edge {
  const IncludeUse *use;
  clang::FileID includer;     ///< invalid: the command line
  std::string from, to;       ///< keys of the plan
  bool isOfOtherName = false; ///< `to` is not the path that was included (FileVariants.h)
};

class OverlayPlanner {
public:
  OverlayPlanner(const TranslationUnit &unit, const Plan &plan, StringRef root, StringRef outputDirectory, bool movesForced)
      : unit(unit), plan(plan), root(root), movesForced(movesForced) {
    mainPath = unit.pathOf(unit.sources.getMainFileID());
    std::string home = sys::path::parent_path(mainPath).str();
    mainMoves = !outputDirectory.empty() && absolutePath(outputDirectory) != home;
    // A relative way from the output to the source keeps the text independent of where the checkout lies.
    StringRef given = unit.fileAt(mainPath).name;
    staysRelative = sys::path::is_relative(given) && absolutePath(outputDirectory) == absolutePath(".");
  }

  Overlay run() {
    for (const auto &[path, file] : plan.files())
      if (!file.isMain && !file.edits.empty())
        copied.insert(path);
    if (copied.empty() && plan.isEmpty())
      return {};
    if (!copied.empty() && root.empty()) {
      unit.reporter.error({}, "annotations in header '" + *copied.begin() + "' need a folder for its rewritten copy");
      return {};
    }
    readEdges();
    if (!copied.empty())
      unseen = followUnseen(unit, {entered, seen, copied});
    copyIncluders();
    for (const Edge &edge : edges)
      redirect(edge);
    for (const UnseenInclude &include : unseen.includes)
      redirect(include);
    if (mainMoves)
      redirectUnseen(mainPath);
    for (const std::string &path : copied)
      redirectUnseen(path);
    return {std::move(edits), {copied.begin(), copied.end()}, std::move(unseen.files), forced, {directories.begin(), directories.end()}};
  }

private:
  void readEdges() {
    entered.emplace(&unit.sources.getFileEntryRefForID(unit.sources.getMainFileID())->getFileEntry(), mainPath);
    std::map<const clang::FileEntry *, std::string> names; // of the first inclusion
    for (const IncludeUse &use : unit.preprocessing.includes) {
      if (!use.target)
        continue;
      clang::FileID includer = unit.sources.getFileID(unit.sources.getExpansionLoc(use.hash));
      const std::string name = absolutePath(use.target->getName());
      Edge edge{&use, includer, {}, use.entered.isValid() ? unit.pathOf(use.entered) : name};
      const clang::FileEntry *file = &use.target->getFileEntry();
      const std::string &first = entered.try_emplace(file, edge.to).first->second;
      if (names.try_emplace(file, name).first->second != name && use.entered.isInvalid()) // by another name, such as a link's
        edge.to = first;
      edge.isOfOtherName = edge.to != name;
      if (unit.sources.getFileEntryRefForID(includer))
        edge.from = unit.pathOf(includer);
      if (!edge.from.empty() && use.filename.getBegin().isFileID())
        seen.emplace(edge.from, unit.sources.getFileOffset(use.filename.getBegin()));
      edges.push_back(std::move(edge));
    }
  }

  void copyIncluders() {
    for (bool grows = true; grows;) {
      grows = false;
      for (const Edge &edge : edges)
        if (copied.contains(edge.to) && !edge.from.empty() && edge.from != mainPath)
          grows |= copied.insert(edge.from).second;
      for (const UnseenInclude &include : unseen.includes)
        if (copied.contains(include.to) && include.from != mainPath)
          grows |= copied.insert(include.from).second;
    }
  }

  void redirect(const Edge &edge) {
    bool isCopied = copied.contains(edge.to), includerIsCopied = copied.contains(edge.from);
    if (edge.from.empty()) {
      if (isCopied && movesForced)
        forced[edge.to].insert(edge.use->spelling);
      else if (isCopied)
        unit.reporter.error({}, "annotated header '" + edge.to +
                                    "' is included from the command line, where it can't be "
                                    "redirected to its copy: include it in the source, or build the source by itself with "
                                    "kperf-cc");
      return;
    }
    if (!includerIsCopied && edge.from != mainPath)
      return;
    std::string folder = edge.use->searchPath.empty() ? "" : absolutePath(edge.use->searchPath);
    bool isBesideIncluder = !edge.use->isAngled && folder == sys::path::parent_path(edge.from);
    if (isCopied && edge.isOfOtherName) {
      replaceName(edge, root.str() + edge.to);
    } else if (isCopied) {
      rememberDirectories(folder, edge.use->spelling);
      if (!(isBesideIncluder && includerIsCopied)) // else the copies lie side by side as the originals do
        insertFolder(edge, root.str() + folder);
    } else if (isBesideIncluder && (includerIsCopied || mainMoves)) {
      insertFolder(edge, staysRelative && !includerIsCopied ? edge.use->searchPath : folder);
    }
  }

  /// Beside the including file is what `redirectUnseen` does.
  void redirect(const UnseenInclude &include) {
    if (!copied.contains(include.to))
      return;
    const bool isOfOtherName = include.to != absolutePath(include.folder + "/" + include.name);
    const unsigned name = include.offset + 1;
    if (isOfOtherName) {
      const unsigned length = include.name.size();
      edits.push_back({include.from, name, EditOrder::Open, root.str() + include.to, std::nullopt, {}, length});
    } else if (!include.isBeside) {
      rememberDirectories(include.folder, include.name);
      edits.push_back({include.from, name, EditOrder::Open, root.str() + include.folder + "/", std::nullopt, {}});
    }
  }

  const SourceFile &fileAt(const std::string &path) const {
    const auto file = unseen.files.find(path);
    return file == unseen.files.end() ? unit.fileAt(path) : file->second;
  }

  /// What the preprocessor passed by, such as code for the host's pass, still names files beside the original.
  void redirectUnseen(const std::string &path) {
    StringRef home = sys::path::parent_path(path);
    const bool isMain = path == mainPath;
    for (const QuotedName &quoted : quotedNames(fileAt(path).text, unit.context.getLangOpts())) {
      std::string target = absolutePath((home + "/" + quoted.name).str());
      if (quoted.isAngled || seen.contains({path, quoted.offset}) || sys::path::is_absolute(quoted.name) || !sys::fs::exists(target))
        continue;
      std::string folder = copied.contains(target) ? root.str() + home.str() : home.str();
      if (copied.contains(target))
        rememberDirectories(home, quoted.name);
      if (copied.contains(target) && !isMain)
        continue; // the copies lie side by side as the originals do
      if (isMain && staysRelative && !copied.contains(target))
        folder = sys::path::parent_path(unit.fileAt(path).name).str();
      if (!folder.empty())
        edits.push_back({path, quoted.offset + 1, EditOrder::Open, folder + "/", std::nullopt, {}});
    }
  }

  void rememberDirectories(StringRef folder, StringRef spelling) {
    SmallString<256> path(folder);
    sys::path::append(path, sys::path::parent_path(spelling));
    if (StringRef(path).contains(".."))
      directories.insert(path.str().str());
  }

  void insertFolder(const Edge &edge, StringRef folder) {
    clang::SourceLocation begin = edge.use->filename.getBegin();
    std::string text = folder.str() + (StringRef(edge.use->spelling).starts_with("/") ? "" : "/");
    if (begin.isMacroID()) {
      replaceName(edge, text + edge.use->spelling);
      return;
    }
    std::optional<Place> place = unit.editablePlace(begin);
    if (!place)
      return;
    edits.push_back({unit.pathOf(place->file), place->offset + 1, EditOrder::Open, std::move(text), std::nullopt, {}});
  }

  /// Writes the name in the place of what stood there, which may be a macro; another name at another time is a conflict of the plan.
  void replaceName(const Edge &edge, StringRef path) {
    const clang::CharSourceRange written = edge.use->filename;
    Place first = unit.expansionPlace(written.getBegin());
    unsigned length = edge.use->spelling.size() + 2;
    if (written.getBegin().isMacroID()) {
      clang::SourceLocation end = unit.sources.getExpansionRange(written.getBegin()).getEnd();
      length = unit.expansionEnd(written.getBegin()).offset - first.offset +
               clang::Lexer::MeasureTokenLength(end, unit.sources, unit.context.getLangOpts());
    }
    const char *quotes = edge.use->isAngled ? "<>" : "\"\"";
    std::string name = quotes[0] + path.str() + quotes[1];
    edits.push_back({unit.pathOf(first.file), first.offset, EditOrder::Open, std::move(name), std::nullopt, {}, length});
  }

  const TranslationUnit &unit;
  const Plan &plan;
  StringRef root;
  bool movesForced;
  std::string mainPath;
  bool mainMoves = false, staysRelative = false;
  std::map<const clang::FileEntry *, std::string> entered; ///< keys of the first inclusions, and of the main file
  std::vector<Edge> edges;
  UnseenIncludes unseen;
  std::vector<Edit> edits;
  std::set<std::string> copied, directories;
  std::map<std::string, std::set<std::string>> forced;
  std::set<std::pair<std::string, unsigned>> seen; ///< file and offset of every name that was included
};

} // namespace

Overlay planOverlay(const TranslationUnit &unit, const Plan &plan, StringRef root, StringRef outputDirectory, bool movesForced) {
  return OverlayPlanner(unit, plan, root, outputDirectory, movesForced).run();
}

} // namespace kperf
