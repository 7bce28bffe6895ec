// One pass through a body: the clocks of all regions that it holds, each at a fixed place of one piece of a stream (FunctionStream.h).
// Emitted: kperf::Frame, FrameScope.
//
// Where whole warps come to all of a kernel's regions, a frame gathers: lane w reads the clock of word w, all of them into the same
// register, and one store of consecutive lanes writes the piece when the pass ends. A clock that is stored at once keeps the warp waiting
// for it, and takes a slot of the load/store unit: on an H100, hand-written, 22 % in cuda-samples' matrixMul, where gathering costs 11.
// What is left is mostly the clock's read, and no store (docs/measurements.md). In functions lanes may have
// diverged, and the questions that gathering then takes cost more than it saves (FlashAttention-2's forward kernel: 15 % against 5). Where
// a pass holds matrix products of a warp group there is nothing to ask: all lanes come to those. There a frame with objects gathers too;
// one of clocks alone does not, for FlashAttention-3's nine regions would cost two points more.
#ifndef KPERF_CUDA_FRAME_H
#define KPERF_CUDA_FRAME_H

#include <kperf/cuda/record/StreamRows.h>

namespace kperf {

namespace detail {

/// For streams that only whole warps record into, and passes that no jump leaves and that hold no wait or signal: those have objects, for
/// which there is no put() here. `IsPassedOnce`: a warp that is not recorded leaves at once; in a loop that test would cost the others.
template <typename Stream, bool IsPassedOnce> class GatheringFrame {
public:
  __host__ __device__ __forceinline__ GatheringFrame(Stream &stream, uint32_t id, uint32_t = 0) : stream(stream), id(id) {}
  __host__ __device__ __forceinline__ ~GatheringFrame() {
#ifdef KPERF_DEVICE_CODE
    if (IsPassedOnce && !stream.isThere())
      return;
    const LaneMask lanes = activeLanes();
    const uint32_t last = turn == turnOf(Stream::kWords - 2) ? lanes : id;
    stream.storeGathered(stream.offset(), turn >= turnOf(Stream::kWords - 2) ? last : word, stream.hasRoom());
    stream.next();
#endif
  }

  template <uint32_t Word> __host__ __device__ __forceinline__ void at(uint32_t) {
#ifdef KPERF_DEVICE_CODE
    Stream::settleIfNeeded();
    clockOfLane<turnOf(Word)>(turn, word);
#endif
  }

private:
  Stream &stream;
  uint32_t id;
#ifdef KPERF_DEVICE_CODE
  __device__ __forceinline__ static constexpr uint32_t turnOf(uint32_t lane) { return IsPassedOnce ? lane : Stream::turnOf(lane); }

  uint32_t turn = IsPassedOnce ? stream.lane : stream.turn(), word = 0;
#endif
};

/// Words that the lane that writes stores at once, of any stream and warp.
template <typename Stream> class StoredWords {
public:
  template <uint32_t Word> __host__ __device__ __forceinline__ void at(uint32_t) {
#ifdef KPERF_DEVICE_CODE
    storeWord<4 * Word>(stream.place(), settledClock(), stream.isStored());
#endif
  }
  template <uint32_t Word> __host__ __device__ __forceinline__ void put(uint32_t object) {
#ifdef KPERF_DEVICE_CODE
    storeWord<4 * Word>(stream.place(), object, stream.isStored());
#else
    (void)object;
#endif
  }

protected:
  __host__ __device__ __forceinline__ StoredWords(Stream &stream, uint32_t id, uint32_t zeroed) : stream(stream), id(id) {
#ifdef KPERF_DEVICE_CODE
#pragma unroll
    for (uint32_t word = 0; word < Stream::kWords; word += 4) // the last two words are written when the frame ends
      if (zeroed >> word & 0xf)
        storeRecordAt(stream.place() + 4 * word, 0, 0, 0, 0, stream.isStored());
#else
    (void)zeroed;
#endif
  }

  Stream &stream;
  uint32_t id;
};

template <typename Stream> class StoringFrame : public StoredWords<Stream> {
public:
  __host__ __device__ __forceinline__ StoringFrame(Stream &stream, uint32_t id, uint32_t zeroed)
      : StoredWords<Stream>(stream, id, zeroed) {}
  __host__ __device__ __forceinline__ ~StoringFrame() {
#ifdef KPERF_DEVICE_CODE
    storeWords<4 * (Stream::kWords - 2)>(this->stream.place(), activeLanes(), this->id, this->stream.isStored());
    this->stream.next();
#endif
  }
};

/// Of any stream, in a pass that whole warps make together: of the words of `Gathered` (a bit for each) lane w has word w until the pass
/// ends. Others, to which only some lanes may come, are stored at once.
template <typename Stream, uint32_t Gathered> class WholeFrame : StoredWords<Stream> {
  using Base = StoredWords<Stream>;

public:
  __host__ __device__ __forceinline__ WholeFrame(Stream &stream, uint32_t id, uint32_t zeroed) : Base(stream, id, zeroed & ~Gathered) {
#ifdef KPERF_DEVICE_CODE
    // Of the lane that writes: others may have been in fewer passes before. Asked here, where nobody waits for the answer.
    place = __shfl_sync(0xffffffffu, stream.isStored() ? stream.offset() : 0, 0);
#endif
  }
  __host__ __device__ __forceinline__ ~WholeFrame() {
#ifdef KPERF_DEVICE_CODE
    constexpr uint32_t kKept = Gathered | 3u << (Stream::kWords - 2);
    const uint32_t lane = laneInWarp();
    const uint32_t last = lane == Stream::kWords - 2 ? 0xffffffffu : this->id; // all lanes are here
    storeWord(kperf_config.arena + place + 4 * lane, lane >= Stream::kWords - 2 ? last : word, place != 0 && (kKept >> lane & 1));
    this->stream.next();
#endif
  }

  template <uint32_t Word> __host__ __device__ __forceinline__ void at(uint32_t region) {
#ifdef KPERF_DEVICE_CODE
    if (Gathered >> Word & 1) {
      settleWarp();
      clockOfLane<(1u << Word) - 1>(lanesBelow(), word);
    } else {
      Base::template at<Word>(region);
    }
#else
    (void)region;
#endif
  }
  template <uint32_t Word> __host__ __device__ __forceinline__ void put(uint32_t object) {
#ifdef KPERF_DEVICE_CODE
    if (Gathered >> Word & 1)
      word = lanesBelow() == (1u << Word) - 1 ? object : word;
    else
      Base::template put<Word>(object);
#else
    (void)object;
#endif
  }

#ifdef KPERF_DEVICE_CODE
private:
  uint32_t place, word = 0;
#endif
};

template <typename Stream, bool MayJump, bool IsPassedOnce, uint32_t Gathered>
using FrameOf =
    typename std::conditional<Stream::kGathers && !MayJump, GatheringFrame<Stream, IsPassedOnce>,
                              typename std::conditional<Gathered != 0, WholeFrame<Stream, Gathered>, StoringFrame<Stream>>::type>::type;

} // namespace detail

/// At the brace of a body. `MayJump`: a jump may leave it. `IsPassedOnce`: it is in no loop. `Gathered`: bit w is set where a whole warp
/// comes to word w together, in all passes, or nobody has one, which is then 0; not where a jump may leave.
/// `zeroed`: bit w is set where the body may be passed without word w, which is then 0.
template <typename Stream, bool MayJump = false, bool IsPassedOnce = false, uint32_t Gathered = 0> class Frame {
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
  detail::FrameOf<Stream, MayJump, IsPassedOnce, Gathered> frame;
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
