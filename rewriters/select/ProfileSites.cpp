// Matches the sites with the decisions of a profile.
#include "rewriters/select/ProfileSites.h"

#include "rewriters/unit/SitePlace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <map>
#include <set>
#include <tuple>

using namespace llvm;

namespace kperf {
namespace {

using Outcome = ProfileDecision::Outcome;

/// One region in the making: a scope, a mark, a statement, or all begins and ends of a range.
struct ProfileSite {
  AnnotatedFunction *holder;
  std::string name, function, file;
  unsigned line, column, number = 0;
  std::vector<const MarkerSite *> markers;
  const StatementSite *statement = nullptr;
  bool isAutomatic = false;

  /// What a profile calls it.
  StringRef known() const { return isAutomatic ? withoutLine(name) : StringRef(name); }
};

class SiteMatcher {
public:
  SiteMatcher(const TranslationUnit &unit, PlanAdditions &additions, std::vector<AnnotatedFunction> &functions,
              const ProfileDecisions &profiles, ArrayRef<RegionPlace> leftOut)
      : unit(unit), additions(additions), functions(functions), profiles(profiles), leftOutPlaces(leftOut) {}

  DecidedRegions run() {
    for (AnnotatedFunction &holder : functions)
      collect(holder);
    number();
    for (ProfileSite &site : sites)
      apply(site);
    for (AnnotatedFunction &holder : functions) {
      erase_if(holder.markers, [&](const MarkerSite &site) { return removed.contains(site.statement); });
      erase_if(holder.statements, [](const StatementSite &site) { return site.isLeftOut; });
    }
    return std::move(result);
  }

private:
  ProfileSite &add(AnnotatedFunction &holder, StringRef name, clang::SourceLocation location) {
    const Place place = unit.expansionPlace(location);
    ProfileSite &site = sites.emplace_back();
    site.holder = &holder;
    site.name = name.str();
    site.function = functionName(holder.function);
    site.file = unit.fileOf(place.file).name;
    site.line = unit.lineOf(place);
    site.column = unit.sources.getColumnNumber(place.file, place.offset);
    return site;
  }

  void collect(AnnotatedFunction &holder) {
    std::map<std::string, std::size_t> ranges;
    for (const MarkerSite &marker : holder.markers) {
      const bool isRange = marker.annotation.kind == AnnotationKind::Begin || marker.annotation.kind == AnnotationKind::End;
      const auto [known, isNew] = isRange ? ranges.try_emplace(marker.annotation.name, sites.size()) : std::pair(ranges.end(), true);
      if (isNew)
        add(holder, marker.annotation.name, marker.annotation.token);
      (isRange ? sites[known->second] : sites.back()).markers.push_back(&marker);
    }
    for (const StatementSite &statement : holder.statements) {
      if (statement.run.empty())
        continue;
      ProfileSite &site = add(holder, statement.name,
                              statement.pragma   ? statement.pragma->location
                              : statement.isBody ? holder.function->getLocation()
                                                 : statement.first()->getBeginLoc());
      site.statement = &statement;
      site.isAutomatic = !statement.pragma;
    }
  }

  void number() {
    std::vector<ProfileSite *> order;
    for (ProfileSite &site : sites)
      order.push_back(&site);
    stable_sort(order, [](const ProfileSite *left, const ProfileSite *right) {
      return std::tie(left->file, left->line, left->column) < std::tie(right->file, right->line, right->column);
    });
    std::map<std::tuple<std::string, std::string, std::string>, unsigned> seen;
    for (ProfileSite *site : order)
      site->number = seen[{site->file, site->function, site->known().str()}]++;
  }

  /// The decision of one profile; null: it does not know the region.
  static const ProfileDecision *find(const std::vector<ProfileDecision> &decisions, const ProfileSite &site) {
    const auto isNamed = [&](const ProfileDecision &each) {
      return each.function == site.function && (site.isAutomatic ? withoutLine(each.name) : StringRef(each.name)) == site.known();
    };
    const ProfileDecision *numbered = nullptr;
    unsigned elsewhere = 0;
    const ProfileDecision *moved = nullptr;
    for (const ProfileDecision &each : decisions) {
      if (!isNamed(each))
        continue;
      if (sys::path::filename(each.file) != sys::path::filename(site.file)) {
        ++elsewhere;
        moved = &each;
      } else if (each.line == site.line) {
        return &each;
      } else if (each.number == site.number) {
        numbered = &each;
      }
    }
    return numbered ? numbered : elsewhere == 1 && site.number == 0 ? moved : nullptr;
  }

  /// Whether the row of its region is one of those that are left out.
  bool isLeftOut(const ProfileSite &site) const {
    const auto isAt = [&](Place place) { return is_contained(leftOutPlaces, regionPlace(unit, place, site.name)); };
    if (leftOutPlaces.empty())
      return false;
    if (site.statement)
      return isAt(placeOfStatement(unit, *site.holder, *site.statement));
    return any_of(site.markers, [&](const MarkerSite *marker) {
      Expected<Place> place = placeOfAnnotation(unit, *marker);
      return place ? isAt(*place) : (consumeError(place.takeError()), false);
    });
  }

  void apply(const ProfileSite &site) {
    if (isLeftOut(site))
      return leaveOut(site);
    if (profiles.empty())
      return;
    const ProfileDecision *decision = nullptr;
    for (const std::vector<ProfileDecision> &decisions : profiles)
      if ((decision = find(decisions, site)))
        break;
    const bool isCloserLook = site.isAutomatic && site.statement && site.statement->rule == kProfileRule;
    if (!isCloserLook)
      ++(decision ? result.known : result.fresh);
    if (!decision || decision->outcome == Outcome::Record)
      return;
    const std::string text = formatv("'{0}' ({1}:{2}): {3}", site.name, site.file, site.line, decision->reason);
    if (decision->outcome == Outcome::Sums) {
      result.asked.push_back(text);
      ask(site);
      return;
    }
    result.leftOut.push_back(text);
    leaveOut(site);
  }

  static void ask(const ProfileSite &site) {
    for (MarkerSite &marker : site.holder->markers)
      if (is_contained(site.markers, &marker))
        marker.isSummed = true;
    for (StatementSite &statement : site.holder->statements)
      if (&statement == site.statement)
        statement.isSummed = true;
  }

  void leaveOut(const ProfileSite &site) {
    for (const MarkerSite *marker : site.markers)
      removed.insert(marker->statement);
    for (StatementSite &statement : site.holder->statements)
      if (&statement == site.statement) {
        statement.isLeftOut = true;
        hidePragma(statement);
      }
  }

  /// The vendor's compiler would warn of a pragma it does not know.
  void hidePragma(const StatementSite &statement) {
    if (!statement.pragma || !statement.pragma->isDirective)
      return;
    const Place place = unit.expansionPlace(statement.pragma->location);
    additions.addEdit({unit.pathOf(place.file), place.offset, EditOrder::Open, "//", std::nullopt, {}});
  }

  const TranslationUnit &unit;
  PlanAdditions &additions;
  std::vector<AnnotatedFunction> &functions;
  const ProfileDecisions &profiles;
  ArrayRef<RegionPlace> leftOutPlaces;
  std::vector<ProfileSite> sites;
  std::set<const clang::Stmt *> removed;
  DecidedRegions result;
};

} // namespace

DecidedRegions applyDecisions(const TranslationUnit &unit, PlanAdditions &additions, std::vector<AnnotatedFunction> &functions,
                              const ProfileDecisions &profiles, ArrayRef<RegionPlace> leftOut) {
  if (profiles.empty() && leftOut.empty())
    return {};
  return SiteMatcher(unit, additions, functions, profiles, leftOut).run();
}

} // namespace kperf
