// One pass through a body on CUDA: the clocks of all that is recorded there, at places of a piece of a stream. Emitted: kperf::Frame,
// FrameScope.
//
// Clocks that are stored one by one cost twice: the warp waits for each clock before it can store it, and four bytes of a sector make the
// L2 cache read the rest of it from memory (test/bench/frames.cu). So a frame gathers: lane w reads the clock of word w, all of them into
// the same register, and one store of consecutive lanes writes the piece when the pass ends.
#ifndef KPERF_GPU_FRAME_H
#define KPERF_GPU_FRAME_H

#include <kperf/gpu/record/StreamRows.h>

namespace kperf {

namespace detail {

#ifdef KPERF_DEVICE_CODE

constexpr uint32_t kAllLanes = 0xffffffffu;

/// Reads the clock in the lane `mine` only.
template <uint32_t Lane> __device__ __forceinline__ void clockOfLane(uint32_t lane, uint32_t &word) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.eq.u32 p, %1, %2;\n\t"
               "@p mov.u32 %0, %%clock;\n\t"
               "}"
               : "+r"(word)
               : "r"(lane), "n"(Lane)
               : "memory");
}

/// Stores the clock where `isStored`, and reads none where not.
__device__ __forceinline__ void storeClock(uint64_t address, bool isStored) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               ".reg .b32 now;\n\t"
               "setp.ne.u32 p, %1, 0;\n\t"
               "@p mov.u32 now, %%clock;\n\t"
               "@p st.global.u32 [%0], now;\n\t"
               "}" ::"l"(address),
               "r"(static_cast<uint32_t>(isStored))
               : "memory");
}

#endif

/// Of a stream that only whole warps record into, by passes that no jump leaves.
template <typename Stream> class WholeFrame {
public:
  __host__ __device__ __forceinline__ WholeFrame(Stream &stream, uint32_t id, uint32_t = 0) : stream(stream), id(id) {}
  __host__ __device__ __forceinline__ ~WholeFrame() {
#ifdef KPERF_DEVICE_CODE
    const LaneMask lanes = activeLanes();
    const uint32_t last = stream.lane == Stream::kWords - 2 ? lanes : id;
    stream.storeGathered(stream.offset(), stream.lane >= Stream::kWords - 2 ? last : word, stream.hasRoom());
    stream.next();
#endif
  }

  template <uint32_t Word> __host__ __device__ __forceinline__ void at(uint32_t) {
#ifdef KPERF_DEVICE_CODE
    Stream::settleIfNeeded();
    clockOfLane<Word>(stream.lane, word);
#endif
  }
  template <uint32_t Word> __host__ __device__ __forceinline__ void put(uint32_t object) {
#ifdef KPERF_DEVICE_CODE
    word = stream.lane == Word ? object : word;
#else
    (void)object;
#endif
  }

private:
  Stream &stream;
  uint32_t id;
#ifdef KPERF_DEVICE_CODE
  uint32_t word = 0;
#endif
};

/// Of any stream, by passes that no jump leaves. Where the warp is not whole, the lane that writes stores each clock at once.
template <typename Stream> class GatheringFrame {
public:
  __host__ __device__ __forceinline__ GatheringFrame(Stream &stream, uint32_t id, uint32_t zeroed) : stream(stream), id(id), zeroed(zeroed) {
#ifdef KPERF_DEVICE_CODE
    const LaneMask lanes = activeLanes();
    isWhole = lanes == kAllLanes;
    isDirect = !isWhole && stream.isStored();
    // What a lane counted by itself is no place: it may have missed passes that others came to.
    offset = __shfl_sync(lanes, stream.isStored() ? stream.offset() : 0, 0);
#pragma unroll
    for (uint32_t first = 0; first < Stream::kWords; first += 4)
      if (zeroed >> first & 0xf)
        storeRecordAt(stream.place() + 4 * first, 0, 0, 0, 0, isDirect);
#endif
  }
  __host__ __device__ __forceinline__ ~GatheringFrame() {
#ifdef KPERF_DEVICE_CODE
    const LaneMask lanes = activeLanes();
    const uint32_t last = stream.lane == Stream::kWords - 2 ? lanes : id;
    const uint32_t direct = zeroed ? __shfl_sync(lanes, stored, 0) : 0;
    const bool isMine = isWhole && offset != 0 && !(direct >> stream.lane & 1);
    stream.storeGathered(offset, stream.lane >= Stream::kWords - 2 ? last : word, isMine);
    storeWords(stream.place() + 4 * (Stream::kWords - 2), lanes, id, isDirect);
    stream.next();
#endif
  }

  template <uint32_t Word> __host__ __device__ __forceinline__ void at(uint32_t) {
#ifdef KPERF_DEVICE_CODE
    const LaneMask lanes = activeLanes();
    __syncwarp(lanes);
    if (!(zeroed >> Word & 1)) { // a constant
      clockOfLane<Word>(stream.lane, word);
      storeClock(stream.place() + 4 * Word, isDirect);
      return;
    }
    const bool isAlone = lanes != kAllLanes;
    clockOfLane<Word>(isAlone ? Stream::kWords : stream.lane, word);
    const bool isMine = isAlone && stream.isStored();
    storeClock(stream.place() + 4 * Word, isMine);
    stored |= isMine ? 1u << Word : 0;
#endif
  }
  template <uint32_t Word> __host__ __device__ __forceinline__ void put(uint32_t object) {
#ifdef KPERF_DEVICE_CODE
    const bool isMine = stream.isStored() && activeLanes() != kAllLanes;
    word = stream.lane == Word ? object : word;
    storeWord(stream.place() + 4 * Word, object, isMine);
    stored |= isMine ? 1u << Word : 0;
#else
    (void)object;
#endif
  }

private:
  Stream &stream;
  uint32_t id, zeroed;
#ifdef KPERF_DEVICE_CODE
  uint32_t word = 0, stored = 0, offset;
  bool isWhole, isDirect;
#endif
};

/// Of any stream, by passes that jumps may leave, or where registers are short: each clock is stored at once.
template <typename Stream> class StoringFrame {
public:
  __host__ __device__ __forceinline__ StoringFrame(Stream &stream, uint32_t id, uint32_t zeroed) : stream(stream), id(id) {
#ifdef KPERF_DEVICE_CODE
#pragma unroll
    for (uint32_t word = 0; word < Stream::kWords; word += 4) // the last two words are written when the frame ends
      if (zeroed >> word & 0xf)
        storeRecordAt(stream.place() + 4 * word, 0, 0, 0, 0, stream.isStored());
#else
    (void)zeroed;
#endif
  }
  __host__ __device__ __forceinline__ ~StoringFrame() {
#ifdef KPERF_DEVICE_CODE
    storeWords(stream.place() + 4 * (Stream::kWords - 2), activeLanes(), id, stream.isStored());
    stream.next();
#endif
  }

  template <uint32_t Word> __host__ __device__ __forceinline__ void at(uint32_t) {
#ifdef KPERF_DEVICE_CODE
    storeWord(stream.place() + 4 * Word, settledClock(), stream.isStored());
#endif
  }
  template <uint32_t Word> __host__ __device__ __forceinline__ void put(uint32_t object) {
#ifdef KPERF_DEVICE_CODE
    storeWord(stream.place() + 4 * Word, object, stream.isStored());
#else
    (void)object;
#endif
  }

private:
  Stream &stream;
  uint32_t id;
};

template <typename Stream, bool MayJump>
using FrameOf = typename std::conditional<MayJump || !Stream::kGathers, StoringFrame<Stream>,
                                          typename std::conditional<Stream::kIsWhole, WholeFrame<Stream>, GatheringFrame<Stream>>::type>::type;

} // namespace detail

/// At the brace of a body. `MayJump`: a jump may leave it. `zeroed`: bit w is set where the body may be passed without word w, which is
/// then 0.
template <typename Stream, bool MayJump = false> class Frame {
public:
  __host__ __device__ __forceinline__ Frame(Stream &stream, uint32_t id, uint32_t zeroed = 0) : frame(stream, id, zeroed) {}
  Frame(const Frame &) = delete;
  Frame &operator=(const Frame &) = delete;

  /// The clock of a boundary of `region`. One that is off has its clocks too: others may share them, and the runtime library leaves it out.
  template <uint32_t Word> __host__ __device__ __forceinline__ void at(uint32_t region) {
    static_assert(Word < Stream::kWords - 2, "the last two words say what the frame is");
    frame.template at<Word>(region);
  }
  /// What a wait or a signal is for.
  template <uint32_t Word> __host__ __device__ __forceinline__ void put(uint32_t object) {
    static_assert(Word < Stream::kWords - 2, "the last two words say what the frame is");
    frame.template put<Word>(object);
  }

private:
  detail::FrameOf<Stream, MayJump> frame;
};

/// A region from here to the end of the enclosing block, at two places of a frame.
template <uint32_t Begin, uint32_t End, typename Frame> class FrameScope {
public:
  __host__ __device__ __forceinline__ FrameScope(Frame &frame, uint32_t id) : frame(frame), id(id) { frame.template at<Begin>(id); }
  __host__ __device__ __forceinline__ ~FrameScope() { frame.template at<End>(id); }
  FrameScope(const FrameScope &) = delete;
  FrameScope &operator=(const FrameScope &) = delete;

private:
  Frame &frame;
  uint32_t id;
};

} // namespace kperf

#endif
