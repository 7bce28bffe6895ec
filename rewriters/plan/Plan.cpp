// Removes duplicate edits, assigns ids, and applies edits.
#include "rewriters/plan/Plan.h"

#include "rewriters/plan/PlanAdditions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <set>

using namespace llvm;

namespace kperf {

std::string idLiteral(std::uint32_t id) { return formatv("0x{0:x-6}u", id); }

std::string withMacros(const std::string &function, const SourceFile &file) {
  constexpr std::size_t kLongest = 160;
  return file.variant.empty() || file.variant.size() > kLongest ? function : function + " [" + file.variant + "]";
}

void Plan::addFile(StringRef path, const SourceFile &file) {
  if (const auto [entry, isNew] = plannedFiles.try_emplace(path.str()); isNew)
    static_cast<SourceFile &>(entry->second) = file;
}

void Plan::add(PlanAdditions additions, function_ref<const SourceFile &(StringRef)> fileAt) {
  const auto addRows = [&](auto &rows, const auto &added) {
    for (const auto &row : added) {
      addFile(row.path, fileAt(row.path));
      rows.add(row);
    }
  };
  addRows(regionRows, additions.regions.all());
  addRows(siteRows, additions.sites.all());
  for (const auto &[index, next] : additions.next)
    regionRows[index].next = next;
  for (const auto &[index, place] : additions.streams)
    regionRows[index].stream = place;
  for (const auto &[index, next] : additions.nextInFrame)
    regionRows[index].stream->next = next;
  for (Edit &edit : additions.edits) {
    addFile(edit.path, fileAt(edit.path));
    addEdit(std::move(edit));
  }
  for (SkippedSite &site : additions.skipped)
    skip(std::move(site));
  needsModule |= additions.needsModule;
}

void Plan::skip(SkippedSite site) {
  for (const SkippedSite &known : skippedSites)
    if (known.line == site.line && known.column == site.column && known.name == site.name && known.file == site.file)
      return;
  skippedSites.push_back(std::move(site));
}

namespace {

bool sameEdit(const Edit &left, const Edit &right) {
  return left.offset == right.offset && left.order == right.order && left.before == right.before && left.region == right.region &&
         left.after == right.after && left.remove == right.remove && left.owner == right.owner && left.repeat == right.repeat &&
         left.site == right.site && left.closes == right.closes;
}

bool inConflict(const Edit &left, const Edit &right) {
  if (left.remove && right.remove)
    return left.offset < right.offset + right.remove && right.offset < left.offset + left.remove;
  if (left.remove || right.remove) {
    const Edit &replacement = left.remove ? left : right, &insertion = left.remove ? right : left;
    return insertion.offset > replacement.offset && insertion.offset < replacement.offset + replacement.remove;
  }
  return left.region && left.offset == right.offset && left.order == right.order && left.region == right.region;
}

} // namespace

/// Whether the edit is there already, or conflicts with one that is.
bool Plan::knows(const PlannedFile &file, const Edit &edit) {
  auto settles = [&](const Edit &known) {
    if (sameEdit(known, edit))
      return true;
    if (!inConflict(known, edit))
      return false;
    foundConflicts.push_back(formatv("two different edits at byte {0} of '{1}': '{2}' and '{3}'", edit.offset, file.name,
                                     known.before + known.after, edit.before + edit.after));
    return true;
  };
  if (edit.remove)
    return std::any_of(file.edits.begin(), file.edits.end(), settles);
  auto [first, last] = file.insertionsAt.equal_range(edit.offset);
  for (; first != last; ++first)
    if (settles(file.edits[first->second]))
      return true;
  return std::any_of(file.replacements.begin(), file.replacements.end(), [&](std::size_t index) { return settles(file.edits[index]); });
}

void Plan::addEdit(Edit edit) {
  PlannedFile &file = plannedFiles[edit.path];
  if (knows(file, edit))
    return;
  if (edit.remove)
    file.replacements.push_back(file.edits.size());
  else
    file.insertionsAt.emplace(edit.offset, file.edits.size());
  file.edits.push_back(std::move(edit));
}

void Plan::leaveOutEdits(function_ref<bool(std::uint32_t)> isLeftOut) {
  for (auto &[path, file] : plannedFiles) {
    llvm::erase_if(file.edits, [&](const Edit &edit) {
      const std::optional<std::size_t> site = edit.site ? edit.site : edit.closes;
      return site && isLeftOut(siteRows[*site].id);
    });
    file.insertionsAt.clear(); // no edit is added any more
    file.replacements.clear();
  }
}

void Plan::changeTexts(function_ref<void(StringRef, Edit &)> change) {
  for (auto &[path, file] : plannedFiles)
    for (Edit &edit : file.edits)
      change(path, edit);
}

namespace {

std::uint32_t idFrom(StringRef seed) {
  std::uint64_t hash = xxh3_64bits(seed);
  return static_cast<std::uint32_t>(hash ^ (hash >> 24) ^ (hash >> 48)) & format::kIdMask;
}

std::uint32_t hashOf(const Region &region, std::uint64_t contents, unsigned attempt) {
  return idFrom(formatv("{0:x}/{1}/{2}/{3}/{4}", contents, region.offset, static_cast<unsigned>(region.kind), attempt, region.name).str());
}

std::uint32_t hashOf(const Site &site, std::uint64_t contents, unsigned attempt) {
  return idFrom(formatv("site/{0:x}/{1}/{2}/{3}/{4}", contents, site.offset, site.end, static_cast<unsigned>(site.kind), attempt).str());
}

} // namespace

void Plan::assignIds() {
  std::map<std::string, std::uint64_t> contents;
  for (const auto &[path, file] : plannedFiles)
    contents[path] =
        xxh3_64bits(file.variant.empty() && file.rest.empty() ? file.text : file.text + '\0' + file.variant + '\0' + file.rest);
  assignSiteIds(contents);
  std::uint64_t ofUnit = 0;
  for (const auto &[path, file] : plannedFiles)
    if (file.isMain)
      ofUnit = contents[path];

  // Headers first: their ids must come out the same in every translation unit.
  std::vector<std::size_t> sequence(regionRows.size());
  for (std::size_t index = 0; index < sequence.size(); ++index)
    sequence[index] = index;
  auto key = [&](std::size_t index) {
    const Region &region = regionRows[index];
    return std::tuple(plannedFiles[region.path].isMain, StringRef(region.path), region.offset, static_cast<unsigned>(region.kind),
                      StringRef(region.name));
  };
  std::sort(sequence.begin(), sequence.end(), [&](std::size_t left, std::size_t right) { return key(left) < key(right); });

  std::map<std::uint32_t, std::size_t> taken;
  for (std::size_t index : sequence) {
    Region &region = regionRows[index];
    for (unsigned attempt = 0;; ++attempt) {
      std::uint32_t id = hashOf(region, contents[region.path] ^ (region.isOfUnit ? ofUnit : 0), attempt);
      if (id < format::kFirstFreeId)
        continue;
      auto [owner, isFree] = taken.try_emplace(id, index);
      if (isFree) {
        region.id = id;
        break;
      }
      const Region &other = regionRows[owner->second];
      if (!plannedFiles[region.path].isMain && other.path != region.path) {
        region.id = id;
        foundConflicts.push_back(formatv("regions '{0}' ({1}:{2}) and '{3}' ({4}:{5}) have the same id {6}: change a "
                                         "byte of either header, for example in a comment",
                                         region.name, region.file, region.line, other.name, other.file, other.line, idLiteral(id)));
        break;
      }
    }
  }
}

void Plan::assignSiteIds(std::map<std::string, std::uint64_t> &contents) {
  // Headers first: their ids must come out the same in every translation unit.
  std::map<std::tuple<bool, StringRef, unsigned, unsigned, format::SiteKind>, std::size_t> sequence;
  for (std::size_t index = 0; index < siteRows.size(); ++index) {
    const Site &site = siteRows[index];
    if (site.kind != format::SiteKind::Unseen)
      sequence.emplace(std::tuple(plannedFiles[site.path].isMain, StringRef(site.path), site.offset, site.end, site.kind), index);
  }
  std::map<std::uint32_t, std::size_t> taken;
  for (const auto &[key, index] : sequence) {
    Site &site = siteRows[index];
    for (unsigned attempt = 0; site.id == 0; ++attempt) {
      std::uint32_t id = hashOf(site, contents[site.path], attempt);
      if (id == 0)
        continue;
      auto [owner, isFree] = taken.try_emplace(id, index);
      const Site &other = siteRows[owner->second];
      bool isForeignHeader = !plannedFiles[site.path].isMain && other.path != site.path;
      if (isFree || isForeignHeader)
        site.id = id;
      if (!isFree && isForeignHeader)
        foundConflicts.push_back(formatv("the memory accesses at {0}:{1} and {2}:{3} have the same id {4}: change a byte of "
                                         "either header, for example in a comment",
                                         site.file, site.line, other.file, other.line, idLiteral(id)));
    }
  }
}

std::string Plan::insertedText(const Edit &edit) const {
  std::string id = edit.region ? idLiteral(regions()[*edit.region].id) : edit.site ? idLiteral(wordOf(sites()[*edit.site])) : std::string();
  std::string text;
  for (unsigned count = 0; count < edit.repeat; ++count)
    text += edit.before + id + edit.after;
  return text;
}

std::string Plan::textOf(StringRef path) const {
  const PlannedFile &file = plannedFiles.at(path.str());
  std::vector<const Edit *> sequence;
  for (const Edit &edit : file.edits)
    sequence.push_back(&edit);
  std::stable_sort(sequence.begin(), sequence.end(), [](const Edit *left, const Edit *right) {
    return std::pair(left->offset, left->order) < std::pair(right->offset, right->order);
  });
  std::string text;
  std::size_t done = 0;
  for (const Edit *edit : sequence) {
    text.append(file.text, done, edit->offset - done);
    const std::string inserted = insertedText(*edit);
    // With the character in front a colon would make another token: `case 1:` and `::`, or the digraph `<:`.
    if (!text.empty() && !inserted.empty() && inserted.front() == ':' && (text.back() == ':' || text.back() == '<'))
      text += ' ';
    text += inserted;
    done = edit->offset + edit->remove;
  }
  text.append(file.text, done);
  return text;
}

bool Plan::isEmpty() const {
  return !needsModule &&
         std::all_of(plannedFiles.begin(), plannedFiles.end(), [](const auto &entry) { return entry.second.edits.empty(); });
}

} // namespace kperf
