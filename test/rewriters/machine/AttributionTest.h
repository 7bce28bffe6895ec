// Sites and machine instructions that tests put together by hand.
#ifndef KPERF_TEST_ATTRIBUTIONTEST_H
#define KPERF_TEST_ATTRIBUTIONTEST_H

#include "rewriters/machine/Attribution.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

namespace kperf {

// What a failed comparison prints.
inline void PrintTo(const SiteMachine &machine, std::ostream *out) {
  *out << "state " << static_cast<unsigned>(machine.state) << " leader " << (machine.leader ? static_cast<int>(*machine.leader) : -1)
       << " bytes " << machine.bytes << " pieces " << machine.pieces;
}

inline bool operator==(const SiteMachine &one, const SiteMachine &other) {
  return one.state == other.state && one.leader == other.leader && one.bytes == other.bytes && one.pieces == other.pieces;
}

using format::MachineState;
using format::SiteKind;

inline constexpr SiteMachine kUnknown{}, kSame{MachineState::Same, {}, 0, 0}, kRemoved{MachineState::Removed, {}, 0, 0},
    kVaries{MachineState::Varies, {}, 0, 0};
inline SiteMachine wide(unsigned bytes, unsigned pieces) { return {MachineState::Wide, {}, bytes, pieces}; }
inline SiteMachine narrow(unsigned bytes, unsigned pieces) { return {MachineState::Narrow, {}, bytes, pieces}; }
inline SiteMachine merged(std::size_t leader) { return {MachineState::Merged, leader, 0, 0}; }

inline constexpr char kFile[] = "/source/that/is/nowhere.cu", kHeader[] = "/toolkit/that/is/nowhere.h";

class AttributionTest : public testing::Test {
protected:
  /// A load of the kernel k, which is no part of anything; tests change what matters.
  Site &site(unsigned line, std::string expression, unsigned bytes, SiteKind kind = SiteKind::Load) {
    Site &made = sites.emplace_back();
    made.kind = kind;
    made.expression = made.object = std::move(expression);
    made.function = "k";
    made.path = kFile;
    made.line = line;
    made.bytes = bytes;
    made.isCompiled = kind != SiteKind::Atomic && kind != SiteKind::Unseen;
    return made;
  }

  /// A member, or an element, of an object.
  Site &part(unsigned line, const char *object, const char *member, unsigned bytes, unsigned place, SiteKind kind = SiteKind::Load) {
    Site &made = site(line, std::string(object) + member, bytes, kind);
    made.object = object;
    made.place = place;
    return made;
  }

  MachineAccess &access(unsigned line, unsigned bytes, std::vector<MachineInstruction> instructions, bool isStore = false) {
    return code.accesses.emplace_back(
        MachineAccess{.file = kFile, .line = line, .isStore = isStore, .bytes = bytes, .instructions = std::move(instructions)});
  }
  MachineAccess &load(unsigned line, unsigned bytes) { return access(line, bytes, {{bytes, 0}}); }
  MachineAccess &store(unsigned line, unsigned bytes) { return access(line, bytes, {{bytes, 0}}, true); }

  /// An access that the instruction of `leader` makes too.
  MachineAccess &servedBy(std::size_t leader, unsigned line, unsigned bytes, bool isStore = false) {
    MachineAccess &made = access(line, bytes, {}, isStore);
    made.leader = leader;
    return made;
  }

  std::vector<SiteMachine> attributed() {
    attributeMachineCode(code, sites);
    std::vector<SiteMachine> all;
    for (const Site &each : sites)
      all.push_back(each.machine);
    return all;
  }

  MachineCode code{"sm_90", {}};
  std::vector<Site> sites;
};

using Machines = std::vector<SiteMachine>;

} // namespace kperf

#endif
