// Finds the waits that had not ended when their warps were last seen: on which object, who has arrived, and who is missing.
#ifndef KPERF_DECODER_STUCK_WAITS_H
#define KPERF_DECODER_STUCK_WAITS_H

#include "decoder/sync/SyncBlocks.h"
#include "decoder/table/Table.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace kperf::decoder {

/// Looks at one block after the other. What can't be told from the trace stays empty: nothing is said of who is missing where records of
/// the block were dropped or warps of it are not there.
class StuckWaits {
public:
  explicit StuckWaits(const RegionSet &regions) : regions(regions) {}

  void add(const SyncBlock &block);
  /// Rows of the kernel as the blocks' caller numbers them, those of most blocks first. `name`: what the kernel is called.
  void list(std::uint32_t kernel, const std::string &name);
  bool isEmpty() const { return table.rows.empty(); }
  Table takeTable() { return std::move(table); }

private:
  /// What the warps of a block that wait at one object have in common; blocks where all of it is the same are counted together.
  struct Kind {
    std::uint32_t kernel, region;
    std::uint64_t warps;                            ///< that wait there
    std::optional<std::uint64_t> arrived, expected; ///< warps at a barrier of the block, lanes at one in shared memory
    std::string missing;
    auto operator<=>(const Kind &) const = default;
  };
  struct Found {
    std::uint64_t blocks = 0, gridId = 0, block = 0; ///< the first one
  };
  struct Object {
    format::SyncObject kind;
    std::uint32_t value;
    auto operator<=>(const Object &) const = default;
  };
  struct Arrival {
    std::uint64_t at, lanes;
    std::uint32_t warp; ///< index in the block's warps
  };

  void addAt(const SyncBlock &block, Object object, const std::vector<std::uint32_t> &waiting);
  void countWarps(const SyncBlock &block, Object object, const std::vector<std::uint32_t> &waiting, Kind &kind) const;
  void countLanes(const SyncBlock &block, Object object, Kind &kind) const;
  std::vector<Arrival> arrivalsAt(const SyncBlock &block, Object object, std::uint64_t since) const;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> expectedAt(const SyncBlock &block, Object object) const;
  std::string describe(const SyncBlock &block, Object object, const std::vector<std::uint32_t> &missing) const;
  std::string placeOf(const SyncWarp &warp, Object object) const;

  const RegionSet &regions;
  std::map<Kind, Found> found;
  Table table{.name = "stuck",
              .columns = {{"kernel", Unit::None, Column::Role::Group},
                          {"wait", Unit::None, Column::Role::Label},
                          {"source", Unit::None, Column::Role::Value, 60},
                          {"blocks", Unit::None, Column::Role::Value, 70},
                          {"waiting", Unit::None, Column::Role::Value, 50},
                          {"arrived", Unit::None, Column::Role::Value, 98},
                          {"expected", Unit::None, Column::Role::Value, 98},
                          {"of", Unit::None, Column::Role::Value, 97},
                          {"missing", Unit::None, Column::Role::Value, 99},
                          {"grid-id", Unit::None, Column::Role::Value, 20},
                          {"block", Unit::None, Column::Role::Value, 20}},
              .title = "waits that did not end"};
};

} // namespace kperf::decoder

#endif
