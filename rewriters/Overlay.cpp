// Follows the include graph upwards from edited headers.
#include "Overlay.h"

#include "clang/Basic/FileManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace llvm;

namespace kperf {

namespace {

std::string absolute(StringRef path) {
  SmallString<256> result(path);
  sys::fs::make_absolute(result);
  sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

struct Edge {
  const IncludeUse *use;
  clang::FileID includer; ///< invalid: the command line
  std::string from, to;   ///< keys of the plan
};

class OverlayPlanner {
public:
  OverlayPlanner(TranslationUnit &unit, StringRef root, StringRef outputDirectory) : unit(unit), root(root) {
    mainPath = unit.pathOf(unit.sources.getMainFileID());
    std::string home = sys::path::parent_path(mainPath).str();
    mainMoves = !outputDirectory.empty() && absolute(outputDirectory) != home;
    // A relative way from the output to the source keeps the text independent of where the checkout lies.
    StringRef given = unit.plan.files().at(mainPath).name;
    staysRelative = sys::path::is_relative(given) && absolute(outputDirectory) == absolute(".");
  }

  Overlay run() {
    for (const auto &[path, file] : unit.plan.files())
      if (!file.isMain && !file.edits.empty())
        copied.insert(path);
    if (copied.empty() && unit.plan.isEmpty())
      return {};
    if (!copied.empty() && root.empty()) {
      unit.reporter.error({}, "annotations in header '" + *copied.begin() + "' need a folder for its rewritten copy");
      return {};
    }
    readEdges();
    copyIncluders();
    for (const Edge &edge : edges)
      redirect(edge);
    return {{copied.begin(), copied.end()}, {directories.begin(), directories.end()}};
  }

private:
  void readEdges() {
    for (const IncludeUse &use : unit.preprocessing.includes) {
      if (!use.target)
        continue;
      clang::FileID includer = unit.sources.getFileID(unit.sources.getExpansionLoc(use.hash));
      Edge edge{&use, includer, {}, absolute(use.target->getName())};
      if (unit.sources.getFileEntryRefForID(includer))
        edge.from = absolute(unit.sources.getFileEntryRefForID(includer)->getName());
      edges.push_back(std::move(edge));
    }
  }

  void copyIncluders() {
    for (bool grows = true; grows;) {
      grows = false;
      for (const Edge &edge : edges)
        if (copied.contains(edge.to) && !edge.from.empty() && edge.from != mainPath && copied.insert(edge.from).second) {
          unit.pathOf(edge.includer);
          grows = true;
        }
    }
  }

  void redirect(const Edge &edge) {
    bool isCopied = copied.contains(edge.to), includerIsCopied = copied.contains(edge.from);
    if (edge.from.empty()) {
      if (isCopied)
        unit.reporter.error({}, "annotated header '" + edge.to + "' is included from the command line, where it can't be "
                                "redirected to its copy: include it in the source");
      return;
    }
    if (!includerIsCopied && edge.from != mainPath)
      return;
    std::string folder = edge.use->searchPath.empty() ? "" : absolute(edge.use->searchPath);
    bool isBesideIncluder = !edge.use->isAngled && folder == sys::path::parent_path(edge.from);
    if (isCopied) {
      rememberDirectories(folder, edge.use->spelling);
      if (!(isBesideIncluder && includerIsCopied)) // else the copies lie side by side as the originals do
        insertFolder(edge, root.str() + folder);
    } else if (isBesideIncluder && (includerIsCopied || mainMoves)) {
      insertFolder(edge, staysRelative && !includerIsCopied ? edge.use->searchPath : folder);
    }
  }

  void rememberDirectories(StringRef folder, StringRef spelling) {
    SmallString<256> path(folder);
    sys::path::append(path, sys::path::parent_path(spelling));
    if (StringRef(path).contains(".."))
      directories.insert(path.str().str());
  }

  void insertFolder(const Edge &edge, StringRef folder) {
    std::optional<Place> place = unit.editablePlace(edge.use->filename.getBegin());
    if (!place || edge.use->filename.getBegin().isMacroID()) {
      unit.reporter.error(edge.use->hash, "'" + edge.use->spelling + "' holds annotations and is included through a "
                                          "macro, so it can't be redirected to its copy: write its name here");
      return;
    }
    std::string text = folder.str() + (StringRef(edge.use->spelling).starts_with("/") ? "" : "/");
    unit.plan.addEdit({unit.pathOf(place->file), place->offset + 1, EditOrder::Open, std::move(text), std::nullopt, {}});
  }

  TranslationUnit &unit;
  StringRef root;
  std::string mainPath;
  bool mainMoves = false, staysRelative = false;
  std::vector<Edge> edges;
  std::set<std::string> copied, directories;
};

} // namespace

Overlay planOverlay(TranslationUnit &unit, StringRef root, StringRef outputDirectory) {
  return OverlayPlanner(unit, root, outputDirectory).run();
}

} // namespace kperf
