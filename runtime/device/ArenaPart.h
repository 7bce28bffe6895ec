// Reads the slots of one part of a device's arena, in the order in which warps took them.
#ifndef KPERF_RUNTIME_ARENA_PART_H
#define KPERF_RUNTIME_ARENA_PART_H

#include <kperf/abi/module.h>
#include <kperf/format.h>

#include <cstddef>
#include <span>
#include <vector>

namespace kperf::runtime {

class ArenaPart {
public:
  /// The part's memory, and the most of it that a slot takes.
  ArenaPart(const kperf_gpu_api &gpu, std::uint64_t address, std::uint64_t bytes, std::uint64_t maxSlotBytes)
      : gpu(&gpu), address(address), bytes(bytes), maxSlotBytes(maxSlotBytes) {}

  /// Begins a pass over what warps took since the last one; `used` is the part's counter.
  void begin(std::uint64_t used);

  /// The header of the next slot, null at the end of what was taken or where reading failed. Valid until pop() or end().
  const format::WarpHeader *front();
  /// The records of that slot, as many as it has room for.
  std::span<const format::Record> records() const;
  void pop();
  /// Device address of that slot.
  std::uint64_t slotAddress() const { return address + collected; }

  /// Ends the pass and gives its memory back. Bytes that were taken and hold no slot: a warp died before it could describe
  /// itself, or they could not be copied; 0 when all is well.
  std::uint64_t end();
  /// The part was emptied after the last pass: the next one begins at its front.
  void restart() { collected = 0; }
  /// The vendor's code where copying failed, else 0.
  int error() const { return status; }
  /// Reports what the part refused since the last call.
  std::uint64_t newRefusals(std::uint64_t refused);

private:
  bool fill();

  const kperf_gpu_api *gpu;
  std::uint64_t address, bytes, maxSlotBytes;
  std::uint64_t taken = 0;     ///< end of what warps took
  std::uint64_t copied = 0;    ///< end of what lies in `chunk`
  std::uint64_t collected = 0; ///< end of what was popped
  bool isFull = false;         ///< what lies behind the last slot was too small for one
  std::vector<std::byte> chunk;
  std::size_t at = 0; ///< of the front slot in the chunk
  format::WarpHeader header{};
  bool hasHeader = false;
  std::uint64_t refusals = 0;
  int status = 0;
};

} // namespace kperf::runtime

#endif
