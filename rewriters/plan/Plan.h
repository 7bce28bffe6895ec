// The edits and regions of a source, each exactly once; conflicts are errors.
#ifndef KPERF_REWRITERS_PLAN_H
#define KPERF_REWRITERS_PLAN_H

#include "rewriters/plan/Region.h"
#include "rewriters/plan/Site.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace kperf {

/// Which of several insertions at one byte comes first.
enum class EditOrder {
  Behind,     ///< belongs to the statement to the left: within what closes there
  Close,      ///< ends what lies to the left
  KernelName, ///< says a template instance's name before Copies
  Copies,     ///< makes a function of what follows in a kernel's body
  Kernel,     ///< the first words of a kernel's body, or of a function's
  Frame,      ///< the first words of a loop's body, or of a function's behind those, or of a condition
  Open,       ///< begins what lies to the right, in the order in which the plan got them
  End,        ///< ends what Copies began, or what is around a condition, behind everything else
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
struct SourceFile {
  std::string text;
  std::string name;
  bool isMain = false;
  std::string original; ///< where it lies; its key unless other macros make another file of it
  std::string variant;  ///< macros from elsewhere that make it what it is (FileVariants.h); part of the ids
  std::string rest;     ///< and what else does
};

struct PlannedFile : SourceFile {
  std::vector<Edit> edits;
  std::multimap<unsigned, std::size_t> insertionsAt; ///< edits that remove nothing, by offset
  std::vector<std::size_t> replacements;             ///< the other edits
};

/// Of the rows of one table: what tells them apart.
inline auto keyOf(const Region &region) { return std::tuple(region.path, region.offset, region.kind, region.name); }
inline auto keyOf(const Site &site) { return std::tuple(site.path, site.offset, site.end, site.kind); }

/// Rows in the order in which they came, each once.
template <typename Row> class UniqueRows {
public:
  std::optional<std::size_t> find(const Row &row) const {
    const auto known = indices.find(keyOf(row));
    return known == indices.end() ? std::nullopt : std::optional(known->second);
  }
  /// The index of the row; one with the same key has the same index, and the first decides.
  std::size_t add(Row row) {
    const auto [entry, isNew] = indices.try_emplace(keyOf(row), rows.size());
    if (isNew)
      rows.push_back(std::move(row));
    return entry->second;
  }
  const std::vector<Row> &all() const { return rows; }
  std::size_t size() const { return rows.size(); }
  Row &operator[](std::size_t index) { return rows[index]; }

private:
  std::vector<Row> rows;
  std::map<decltype(keyOf(std::declval<Row>())), std::size_t> indices;
};

class PlanAdditions;

class Plan {
public:
  /// Makes the file known; the first call for a path decides.
  void addFile(llvm::StringRef path, const SourceFile &file);

  /// Adds regions, sites and edits, each unless it is there already, however many instantiations or inclusions led to it. An edit at the
  /// same byte for the same region with another text, or two replacements that overlap, are conflicts. `fileAt`: the file of a key.
  void add(PlanAdditions additions, llvm::function_ref<const SourceFile &(llvm::StringRef path)> fileAt);

  /// Takes back the edits of access sites that `isLeftOut` names by their ids; the sites stay.
  void leaveOutEdits(llvm::function_ref<bool(std::uint32_t site)> isLeftOut);

  /// Has the texts of every edit changed; no edit is added any more.
  void changeTexts(llvm::function_ref<void(llvm::StringRef path, Edit &edit)> change);

  /// Gives every region and every site its id: a 24-bit hash of the file's contents and variant, the byte offset, the kind and the name.
  /// Ids of headers do not depend on the translation unit; on a collision the main file's region moves. Two headers that collide are a
  /// conflict.
  void assignIds();

  /// The text of a file with its edits applied.
  std::string textOf(llvm::StringRef path) const;

  /// Whether the translation unit is registered with the runtime: for its regions or sites, or for its own sake.
  bool hasModule() const { return needsModule || regionRows.size() > 0 || siteRows.size() > 0; }

  /// Whether nothing is to be done: no edit, and no module for its own sake.
  bool isEmpty() const;
  const std::map<std::string, PlannedFile> &files() const { return plannedFiles; }
  std::optional<std::size_t> indexOf(const Region &region) const { return regionRows.find(region); }
  std::optional<std::size_t> indexOf(const Site &site) const { return siteRows.find(site); }
  const std::vector<Region> &regions() const { return regionRows.all(); }
  const std::vector<SkippedSite> &skipped() const { return skippedSites; }
  /// In the order in which they were added.
  const std::vector<Site> &sites() const { return siteRows.all(); }
  /// One sentence each.
  const std::vector<std::string> &conflicts() const { return foundConflicts; }

private:
  void addEdit(Edit edit);
  void skip(SkippedSite site);
  bool knows(const PlannedFile &file, const Edit &edit);
  void assignSiteIds(std::map<std::string, std::uint64_t> &contents);
  std::string insertedText(const Edit &edit) const;

  std::map<std::string, PlannedFile> plannedFiles;
  UniqueRows<Region> regionRows;
  UniqueRows<Site> siteRows;
  std::vector<SkippedSite> skippedSites;
  std::vector<std::string> foundConflicts;
  bool needsModule = false;
};

/// `function`, and behind it, " [N=4 TYPE=float]", what tells two of one name and place apart, as long as that can be read.
std::string withMacros(const std::string &function, const SourceFile &file);

/// "0x1a2b3cu"
std::string idLiteral(std::uint32_t id);

} // namespace kperf

#endif
