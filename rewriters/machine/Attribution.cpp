// Matches access sites and machine instructions line by line.
#include "rewriters/machine/Attribution.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

using kperf::format::MachineState;
using kperf::format::SiteKind;

namespace kperf {
namespace {

/// The accesses that stand on one line and go one way.
struct LineKey {
  std::string file;
  unsigned line;
  bool isStore;

  friend auto operator<=>(const LineKey &, const LineKey &) = default;
};

struct Line {
  std::vector<std::size_t> sites; ///< whose instructions the compiler chooses
  std::vector<const MachineAccess *> accesses;
  bool isMixed = false;     ///< with what can't be told apart from the sites
  bool isOfCallees = false; ///< the accesses stand in functions that it calls
};

/// What became of one access, whatever its place.
using Shape = std::pair<unsigned, std::vector<MachineInstruction>>; // bytes, instructions

class Attribution {
public:
  Attribution(const MachineCode &code, std::vector<Site> &sites) : code(code), sites(sites) {}

  void run() {
    collect();
    for (auto &[key, line] : lines)
      if (!line.isMixed && !line.sites.empty())
        resolve(key, line);
    for (const auto &[key, index] : missing)
      resolveMissing(key, index);
    for (std::size_t index = 0; index < sites.size(); ++index)
      sites[index].machine = combined(index);
  }

private:
  bool loads(const Site &site) const { return site.kind == SiteKind::Load || site.kind == SiteKind::Update; }
  bool stores(const Site &site) const { return site.kind == SiteKind::Store || site.kind == SiteKind::Update; }
  static bool hasKnownSize(const Site &site) { return site.bytes > 0 && site.bytes <= 16 && (site.bytes & (site.bytes - 1)) == 0; }

  void collect() {
    std::map<std::string, std::string> realPaths;
    for (std::size_t index = 0; index < sites.size(); ++index) {
      const Site &site = sites[index];
      std::string &path = realPaths[site.path];
      if (llvm::SmallString<256> real; path.empty())
        path = llvm::sys::fs::real_path(site.path, real) ? site.path : real.str().str();
      const bool isKnown = site.isCompiled && site.kind != SiteKind::Unseen && hasKnownSize(site);
      for (const bool isStore : {false, true}) {
        if (site.kind != SiteKind::Unseen && site.kind != SiteKind::Atomic && !(isStore ? stores(site) : loads(site)))
          continue;
        Line &line = lines[{path, site.line, isStore}];
        line.isMixed |= !isKnown;
        if (isKnown)
          line.sites.push_back(index);
      }
      auto [lastLine, isNew] = extents.try_emplace({path, site.function}, site.line, site.line);
      lastLine->second.first = std::min(lastLine->second.first, site.line);
      lastLine->second.second = std::max(lastLine->second.second, site.line);
    }
    std::vector<const MachineAccess *> elsewhere;
    for (const MachineAccess &access : code.accesses) {
      files.insert(access.file);
      const auto found = lines.find({access.file, access.line, access.isStore});
      if (access.line == 0 || found == lines.end())
        elsewhere.push_back(&access);
      else
        found->second.accesses.push_back(&access);
    }
    for (const MachineAccess *access : elsewhere)
      if (Line *line = lineOfCaller(*access)) {
        line->isOfCallees = true;
        line->accesses.push_back(access);
      } else {
        unclaimed.push_back(access);
      }
  }

  /// The line with sites that calls the code that the access stands in, if it has no access of its own: what a library's function reads
  /// by reference, as __half's operators do, is a site of the caller's.
  Line *lineOfCaller(const MachineAccess &access) {
    for (const MachinePlace &caller : access.line == 0 ? std::vector<MachinePlace>() : access.callers) {
      files.insert(caller.file);
      if (const auto found = lines.find({caller.file, caller.line, access.isStore}); found != lines.end())
        return found->second.accesses.empty() || found->second.isOfCallees ? &found->second : nullptr;
    }
    return nullptr;
  }

  MachineState &stateOf(std::size_t index, bool isStore) { return (isStore ? ofStores : ofLoads)[index].state; }
  void set(std::size_t index, bool isStore, const SiteMachine &machine) { (isStore ? ofStores : ofLoads)[index] = machine; }

  void resolve(const LineKey &key, const Line &line) {
    if (line.accesses.empty()) {
      for (const std::size_t index : line.sites)
        missing.emplace_back(key, index);
      return;
    }
    std::set<Shape> shapes;
    for (const MachineAccess *access : line.accesses)
      shapes.emplace(access->bytes, leaderOf(*access).instructions);
    if (isAsWritten(shapes, line)) {
      std::map<std::string, std::size_t> first;
      for (const std::size_t index : line.sites)
        setOnce(index, key.isStore, first, {MachineState::Same, {}, 0, 0});
    } else if (!mergesMembers(key, line, shapes) && !narrows(key, line, shapes) && !mergesElements(key, line)) {
      for (const std::size_t index : line.sites)
        set(index, key.isStore, {MachineState::Varies, {}, 0, 0});
    }
  }

  const MachineAccess &leaderOf(const MachineAccess &access) const {
    return access.leader == MachineAccess::kNone ? access : code.accesses[access.leader];
  }

  /// The machine, unless the source loads the same twice in one line: compilers load it once.
  void setOnce(std::size_t index, bool isStore, std::map<std::string, std::size_t> &first, const SiteMachine &machine) {
    const auto [known, isNew] = first.try_emplace(sites[index].expression, index);
    const llvm::StringRef text = sites[index].expression;
    const bool mayDiffer = text.contains('(') || text.contains("++") || text.contains("--");
    if (isNew || isStore || mayDiffer || sites[index].kind == SiteKind::Update)
      set(index, isStore, machine);
    else
      set(index, isStore, {MachineState::Merged, known->second, 0, 0});
  }

  /// Whether each access of the source is an instruction of its size.
  bool isAsWritten(const std::set<Shape> &shapes, const Line &line) const {
    std::set<unsigned> written, executed;
    for (const std::size_t index : line.sites)
      written.insert(sites[index].bytes);
    for (const auto &[bytes, instructions] : shapes) {
      if (instructions != std::vector{MachineInstruction{bytes, 0}})
        return false;
      executed.insert(bytes);
    }
    return written == executed;
  }

  /// Members of objects that one access of PTX makes together, in whatever instructions; what else is on the line is as the source has it.
  bool mergesMembers(const LineKey &key, const Line &line, const std::set<Shape> &shapes) {
    std::map<std::string, std::vector<std::size_t>> objects;
    std::vector<std::size_t> others;
    unsigned largest = 0;
    for (const std::size_t index : line.sites) {
      if (!sites[index].place && !shapes.contains(Shape(sites[index].bytes, {MachineInstruction{sites[index].bytes, 0}})))
        return false;
      sites[index].place ? objects[sites[index].object].push_back(index) : others.push_back(index);
      largest = std::max(largest, sites[index].bytes);
    }
    std::vector<Shape> wide, scalar;
    for (const Shape &shape : shapes)
      (shape.first > largest ? wide : scalar).push_back(shape);
    const bool isAllOfOthers = llvm::all_of(scalar, [&](const Shape &shape) {
      return llvm::any_of(others, [&](std::size_t index) { return sites[index].bytes == shape.first; });
    });
    if (wide.size() != 1 || objects.empty() || (!isAllOfOthers && objects.size() == 1) || wide.front().second.empty())
      return false;
    std::map<std::string, std::size_t> first;
    for (const std::size_t index : others)
      setOnce(index, key.isStore, first, {MachineState::Same, {}, 0, 0});
    for (const auto &[object, members] : objects) {
      std::set<unsigned> places;
      for (const std::size_t index : members)
        places.insert(*sites[index].place);
      if (!scalar.empty() && places.size() == 1)
        for (const std::size_t index : members)
          set(index, key.isStore, {MachineState::Same, {}, 0, 0});
      else
        setMembers(key.isStore, members, wide.front());
    }
    return true;
  }

  void setMembers(bool isStore, const std::vector<std::size_t> &members, const Shape &shape) {
    std::map<MachineInstruction, std::size_t> leaders;
    std::map<std::string, std::size_t> first;
    for (const std::size_t index : members) {
      const auto place = static_cast<int>(*sites[index].place % shape.first);
      const auto size = static_cast<int>(sites[index].bytes);
      const auto found = llvm::find_if(shape.second, [&](const MachineInstruction &each) {
        return each.offset <= place && place + size <= each.offset + static_cast<int>(each.bytes);
      });
      if (found == shape.second.end())
        set(index, isStore, {MachineState::Varies, {}, 0, 0});
      else if (found->bytes == sites[index].bytes)
        setOnce(index, isStore, first, {MachineState::Same, {}, 0, 0});
      else if (const auto [leader, isNew] = leaders.try_emplace(*found, index); isNew)
        set(index, isStore, {MachineState::Wide, {}, found->bytes, *sites[index].place % found->bytes + 1});
      else
        set(index, isStore, {MachineState::Merged, leader->second, 0, 0});
    }
  }

  /// One access of the source, of which only parts are needed, or that takes several instructions.
  bool narrows(const LineKey &key, const Line &line, const std::set<Shape> &shapes) {
    if (shapes.size() != 1 || shapes.begin()->second.empty())
      return false;
    const auto &[bytes, instructions] = *shapes.begin();
    const unsigned width = instructions.front().bytes;
    unsigned pieces = 0;
    for (const MachineInstruction &each : instructions) {
      if (each.bytes != width || each.offset < 0 || each.offset % static_cast<int>(width) != 0 || each.offset + width > bytes)
        return false;
      pieces |= 1u << each.offset / static_cast<int>(width);
    }
    for (const std::size_t index : line.sites)
      if (sites[index].bytes != bytes || width >= bytes)
        return false;
    std::map<std::string, std::size_t> first;
    for (const std::size_t index : line.sites)
      setOnce(index, key.isStore, first, {MachineState::Narrow, {}, width, pieces});
    return true;
  }

  /// Elements that follow each other: of one access in an unrolled loop, or of as many accesses as the instruction has room for.
  bool mergesElements(const LineKey &key, const Line &line) {
    unsigned width = 0;
    std::set<unsigned> together = {key.line}; // lines that an instruction serves
    for (const MachineAccess *access : line.accesses) {
      const MachineAccess &leader = leaderOf(*access);
      if (leader.instructions.size() != 1 || (width != 0 && leader.instructions.front().bytes != width))
        return false;
      width = leader.instructions.front().bytes;
      if (access->bytes != width)
        addServed(leader, together);
    }
    std::vector<std::size_t> all;
    for (const unsigned number : together) {
      const auto found = lines.find({key.file, number, key.isStore});
      if (found == lines.end() || found->second.isMixed)
        return false;
      all.insert(all.end(), found->second.sites.begin(), found->second.sites.end());
    }
    std::set<std::string> texts, objects;
    for (const std::size_t index : all) {
      if (sites[index].bytes >= width || sites[index].bytes != sites[all.front()].bytes)
        return false;
      texts.insert(sites[index].expression);
      objects.insert(sites[index].object);
    }
    const bool isWhole = objects.size() == 1 && texts.size() * sites[all.front()].bytes == width;
    if (texts.size() != 1 && !isWhole)
      return false;
    for (const std::size_t index : all)
      if (index == all.front()) // of a loop's accesses, which come to all parts as often, that to the first part counts
        set(index, key.isStore, {MachineState::Wide, {}, width, texts.size() == 1 ? 1u : 0u});
      else
        set(index, key.isStore, {MachineState::Merged, all.front(), 0, 0});
    return true;
  }

  void addServed(const MachineAccess &leader, std::set<unsigned> &together) const {
    const auto index = static_cast<std::size_t>(&leader - code.accesses.data());
    together.insert(leader.line);
    for (const MachineAccess &each : code.accesses)
      if (each.leader == index)
        together.insert(each.line);
  }

  /// A site on whose line no instruction stands: another one's makes its accesses, or none does, or its own was moved to no line.
  void resolveMissing(const LineKey &key, std::size_t index) {
    const Site &site = sites[index];
    const std::vector<SiteMachine> &known = key.isStore ? ofStores : ofLoads;
    for (std::size_t other = 0; other < sites.size(); ++other) {
      const Site &candidate = sites[other];
      if (known[other].state != MachineState::Wide || candidate.function != site.function || candidate.object != site.object ||
          candidate.path != site.path || !candidate.place || !site.place)
        continue;
      if (*candidate.place / known[other].bytes == *site.place / known[other].bytes)
        return set(index, key.isStore, {MachineState::Merged, other, 0, 0});
    }
    if (files.contains(key.file))
      set(index, key.isStore, {isMoved(key, site) ? MachineState::Varies : MachineState::Removed, {}, 0, 0});
  }

  /// Whether instructions that belong to no site stand in its function, which begins somewhere behind the last access of the one above.
  bool isMoved(const LineKey &key, const Site &site) const {
    const auto [first, last] = extents.at({key.file, site.function});
    unsigned above = 0;
    for (const auto &[function, lines] : extents)
      if (function.first == key.file && lines.second < first)
        above = std::max(above, lines.second);
    return llvm::any_of(unclaimed, [&, last = last](const MachineAccess *access) {
      const unsigned at = access->line ? access->line : access->near;
      return access->file == key.file && access->isStore == key.isStore && at > above && at <= last + kBehind;
    });
  }
  static constexpr unsigned kBehind = 3; ///< lines that a function has behind its last access

  /// Of an update what its load and its store have in common.
  SiteMachine combined(std::size_t index) const {
    const Site &site = sites[index];
    if (site.kind != SiteKind::Update)
      return site.kind == SiteKind::Load ? ofLoads[index] : ofStores[index];
    const SiteMachine &load = ofLoads[index], &store = ofStores[index];
    if (load.state == store.state && load.bytes == store.bytes && load.leader == store.leader && load.pieces == store.pieces)
      return load;
    const bool isKnown = load.state != MachineState::Unknown && store.state != MachineState::Unknown;
    return {isKnown ? MachineState::Varies : MachineState::Unknown, {}, 0, 0};
  }

  const MachineCode &code;
  std::vector<Site> &sites;
  std::map<LineKey, Line> lines;
  std::map<std::pair<std::string, std::string>, std::pair<unsigned, unsigned>> extents; ///< first and last line by file and function
  std::set<std::string> files;                                                          ///< that machine code comes from
  std::vector<const MachineAccess *> unclaimed;                                         ///< on lines without a site
  std::vector<std::pair<LineKey, std::size_t>> missing;
  std::vector<SiteMachine> ofLoads = std::vector<SiteMachine>(sites.size()), ofStores = ofLoads; ///< by site
};

} // namespace

void attributeMachineCode(const MachineCode &code, std::vector<Site> &sites) {
  if (!code.architecture.empty())
    Attribution(code, sites).run();
}

} // namespace kperf
