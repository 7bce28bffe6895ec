// What will be done to the sources: edits and regions, each exactly once, conflicts named.
#ifndef KPERF_REWRITERS_PLAN_H
#define KPERF_REWRITERS_PLAN_H

#include "rewriters/plan/Region.h"
#include "rewriters/plan/Site.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace kperf {

/// Which of several insertions at one byte comes first.
enum class EditOrder {
  Behind,     ///< belongs to the statement to the left: within what closes there
  Close,      ///< ends what lies to the left
  KernelName, ///< says a template instance's name before Copies
  Copies,     ///< makes a function of what follows in a kernel's body
  Kernel,     ///< the first words of a kernel's body, or of a function's
  Frame,      ///< the first words of a loop's body, or of a function's behind those
  Open,       ///< begins what lies to the right, in the order in which the plan got them
  End,        ///< ends what Copies began, behind everything else
};

/// An insertion (or, for the host target, a replacement of `remove` bytes) in one file. The text is
/// `before`, the id of `region` where there is one, and `after`, all of it `repeat` times.
struct Edit {
  std::string path; ///< key of the file
  unsigned offset = 0;
  EditOrder order = EditOrder::Open;
  std::string before;
  std::optional<std::size_t> region;
  std::string after;
  unsigned remove = 0;
  std::optional<std::size_t> owner; ///< the region that a text without an id belongs to; part of the edit's identity
  unsigned repeat = 1;
  std::optional<std::size_t> site;   ///< its id stands between `before` and `after`
  std::optional<std::size_t> closes; ///< tells a closing text from others at the same byte; part of the edit's identity
};

/// A file that is edited or that includes one: text as it lies on the disk, and the name that users know.
struct PlannedFile {
  std::string text;
  std::string name;
  bool isMain = false;
  std::string original; ///< where it lies; its key unless other macros make another file of it
  std::string variant;  ///< macros from elsewhere that make it what it is (FileVariants.h); part of the ids
  std::string rest;     ///< and what else does
  std::vector<Edit> edits;
  std::multimap<unsigned, std::size_t> insertionsAt; ///< edits that remove nothing, by offset
  std::vector<std::size_t> replacements;             ///< the other edits
};

class Plan {
public:
  /// Makes the file known; the first call for a path decides.
  void addFile(llvm::StringRef path, PlannedFile file);

  /// The index of a region; the same place, kind and name give the same index.
  std::size_t addRegion(Region region);

  /// Regions `index` and `next` share records.
  void setNext(std::size_t index, std::size_t next) { plannedRegions[index].next = next; }

  /// A function with a stream of its own records the region.
  void setStream(std::size_t index, const StreamPlace &place) { plannedRegions[index].stream = place; }
  void setNextInFrame(std::size_t index, std::size_t next) { plannedRegions[index].stream->next = next; }

  /// The index of an access site; the same bytes and kind give the same index.
  std::size_t addSite(Site site);

  /// Adds an edit unless it is there already, however many instantiations or inclusions led to it. An edit at the same
  /// byte for the same region with another text, or two replacements that overlap, are conflicts.
  void addEdit(Edit edit);

  /// Takes back the edits of access sites that `isLeftOut` names by their ids; the sites stay.
  void leaveOutEdits(llvm::function_ref<bool(std::uint32_t site)> isLeftOut);

  /// Remembers a place that is not timed; the same place and name count once.
  void skip(SkippedSite site);

  /// Gives every region and every site its id: a 24-bit hash of the file's contents and variant, the byte offset, the kind and the name.
  /// Ids of headers do not depend on the translation unit; on a collision the main file's region moves. Two headers that collide are a
  /// conflict.
  void assignIds();

  /// The text of a file with its edits applied.
  std::string textOf(llvm::StringRef path) const;

  /// The translation unit is registered even where there is no region and no site.
  void needModule() { needsModule = true; }
  bool hasModule() const { return needsModule || !plannedRegions.empty() || !plannedSites.empty(); }

  /// Whether nothing is to be done: no edit, and no module for its own sake.
  bool isEmpty() const;
  const std::map<std::string, PlannedFile> &files() const { return plannedFiles; }
  const std::vector<Region> &regions() const { return plannedRegions; }
  const std::vector<SkippedSite> &skipped() const { return skippedSites; }
  /// In the order in which they were added.
  const std::vector<Site> &sites() const { return plannedSites; }
  /// One sentence each.
  const std::vector<std::string> &conflicts() const { return foundConflicts; }

private:
  bool knows(const PlannedFile &file, const Edit &edit);
  void assignSiteIds(std::map<std::string, std::uint64_t> &contents);
  std::string insertedText(const Edit &edit) const;

  std::map<std::string, PlannedFile> plannedFiles;
  std::vector<Region> plannedRegions;
  std::vector<SkippedSite> skippedSites;
  std::vector<Site> plannedSites;
  std::map<std::tuple<std::string, unsigned, unsigned, format::SiteKind>, std::size_t> siteIndices;
  std::vector<std::string> foundConflicts;
  bool needsModule = false;
};

/// `function`, and behind it, " [N=4 TYPE=float]", what tells two of one name and place apart, as long as that can be read.
std::string withMacros(const std::string &function, const PlannedFile &file);

/// "0x1a2b3cu"
std::string idLiteral(std::uint32_t id);

} // namespace kperf

#endif
