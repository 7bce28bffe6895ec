// The kperf trace file: the one description of its bytes, read by the runtime that writes and the decoder that reads.
// docs/reference/format.md gives the grammar and the version history. What a reduced trace has in place of its warps, which
// nothing but the decoder writes, is in format_summary.h; cache lines and their uses are in format_references.h.
//
// A file is one FileHeader followed by sections, each a SectionHeader and `bytes` bytes of payload padded with zeros to a
// multiple of 8. A reader skips sections whose kind it does not know. Strings are referred to by their byte offset in the
// concatenation of all Strings sections; offset 0 is the empty string. All integers are little-endian (the endian marker
// says so); no member needs a wider alignment than its own size, and every structure's size is a multiple of 8.
#ifndef KPERF_FORMAT_H
#define KPERF_FORMAT_H

#ifndef __CUDACC_RTC__ // NVRTC has no standard library: probe_nvrtc.h stands in for it
#include <cstddef>
#include <cstdint>
#endif

namespace kperf::format {

/// First eight bytes of a file. As in PNG: a byte above 127, a name, CR LF, ^Z and LF, so that a text-mode transfer breaks it.
inline constexpr unsigned char kMagic[8] = {0x89, 'k', 'p', 'e', 'r', 'f', 0x0d, 0x0a};
inline constexpr std::uint16_t kVersionMajor = 1;  ///< a reader refuses a higher major version
inline constexpr std::uint16_t kVersionMinor = 22; ///< additions that an older reader can skip
inline constexpr std::uint32_t kEndianMarker = 0x01020304;

enum class Target : std::uint32_t { Unknown = 0, Cuda = 1, Hip = 2, Host = 3 };

struct FileHeader {
  unsigned char magic[8];
  std::uint16_t versionMajor;
  std::uint16_t versionMinor;
  std::uint32_t endianMarker;
  std::uint32_t headerBytes; ///< sizeof(FileHeader) of the writer; sections start there
  Target target;
  std::uint64_t createdUnixNs; ///< host wall clock when recording started
  std::uint64_t buildId;       ///< hash over the region tables of all modules: equal builds compare equal
};
static_assert(sizeof(FileHeader) == 40 && offsetof(FileHeader, buildId) == 32);

enum class SectionKind : std::uint32_t {
  Program = 1,          ///< one ProgramRecord
  Strings = 2,          ///< NUL-terminated UTF-8, concatenated over all Strings sections
  Devices = 3,          ///< DeviceRecord[]
  Regions = 4,          ///< RegionRecord[]
  Launches = 5,         ///< LaunchRecord[], in the order in which the host made them
  Warps = 6,            ///< a WarpsHeader, then for each warp a WarpHeader and its kept Records
  Losses = 7,           ///< LossRecord[]
  End = 8,              ///< one EndRecord: the file is complete; nothing follows
  Sites = 9,            ///< SiteRecord[] (since 1.1)
  SiteCounters = 10,    ///< SiteCounterRecord[]: rows of one site and device add up (since 1.1)
  Summaries = 11,       ///< for each kernel a SummaryRecord and its rows, in place of its warps (since 1.2)
  Kernels = 12,         ///< KernelRecord[] (since 1.5)
  References = 13,      ///< a ReferencesHeader and ReferenceRecord[] (since 1.6)
  SummedLengths = 14,   ///< SummedLengthsRecord[], behind the summaries whose rows they belong to (since 1.7)
  MachineAccesses = 15, ///< MachineAccessRecord[] (since 1.12)
  DeviceLimits = 16,    ///< DeviceLimitsRecord[] (since 1.14)
  HostRanges = 17,      ///< HostRangeRecord[] (since 1.16)
  Clocks = 18,          ///< ClockRecord[] (since 1.16)
  MarkProbes = 19,      ///< MarkProbesRecord[], behind the summaries that they belong to (since 1.18)
  SampledLaunches = 20, ///< SampledLaunchesRecord[], behind the summaries that they belong to (since 1.19)
  LaunchTimes = 21,     ///< LaunchTimesRecord[] (since 1.22)
};

struct SectionHeader {
  SectionKind kind;
  std::uint32_t reserved; ///< 0
  std::uint64_t bytes;    ///< payload bytes without the padding
  std::uint64_t checksum; ///< XXH3_64bits of the payload without the padding
};
static_assert(sizeof(SectionHeader) == 24 && offsetof(SectionHeader, checksum) == 16);

struct ProgramRecord {
  std::uint32_t executable;     ///< string: path of the program
  std::uint32_t commandLine;    ///< string: arguments separated by a space, for people
  std::uint32_t runtimeVersion; ///< string: version of the kperf runtime that wrote the file
  std::uint32_t hostName;       ///< string
  std::uint64_t processId;
};
static_assert(sizeof(ProgramRecord) == 24);

/// Behind a host target's name of its device: the user chose how many multiprocessors it has. Without it nobody did.
inline constexpr char kChosenMultiprocessors[] = " (KPERF_HOST_SMS)";

/// One GPU, or the host target's imitation of one.
struct DeviceRecord {
  std::uint32_t device;       ///< ordinal in the process
  std::uint32_t name;         ///< string
  std::uint32_t architecture; ///< string: "sm_90", "gfx942", "host"
  std::uint32_t driver;       ///< string: driver version
  std::uint32_t multiprocessors;
  std::uint32_t warpLanes;   ///< 32 or 64
  std::uint32_t clockKhz;    ///< nominal, for display only: durations come from clock pairs
  std::uint32_t timerTickNs; ///< granularity of startNs/endNs; 0 when unknown
  std::uint64_t memoryBytes;
  unsigned char uuid[16];
};
static_assert(sizeof(DeviceRecord) == 56 && offsetof(DeviceRecord, uuid) == 40);

/// What the hardware of a device allows at most; 0: not known.
struct DeviceLimitsRecord {
  std::uint32_t device;               ///< ordinal in the process
  std::uint32_t residentWarps;        ///< that a multiprocessor holds at a time
  std::uint64_t memoryBytesPerSecond; ///< to and from device memory, by its clock and the width of its bus
  std::uint64_t l2Bytes;
};
static_assert(sizeof(DeviceLimitsRecord) == 24 && offsetof(DeviceLimitsRecord, l2Bytes) == 16);

/// A device's clock as it stood between two readings of the host's.
struct ClockRecord {
  std::uint64_t deviceNs;   ///< device wall clock, as in WarpHeader
  std::uint64_t hostFromNs; ///< host wall clock (Unix, ns), no later than deviceNs was read
  std::uint64_t hostToNs;   ///< the same, no earlier
  unsigned char boot[16];   ///< which boot of which host the host's clock is of; zeros: not known
  std::uint32_t device;     ///< ordinal in the process
  std::uint32_t reserved;   ///< 0
};
static_assert(sizeof(ClockRecord) == 48 && offsetof(ClockRecord, device) == 40);

/// What a program said of its own host code by NVTX.
enum class HostRangeKind : std::uint32_t {
  Pushed = 0,  ///< pushed and popped by one thread
  Started = 1, ///< started by the thread, and ended by any
  Mark = 2,    ///< an instant
};

struct HostRangeRecord {
  std::uint64_t beginNs; ///< host wall clock (Unix, ns)
  std::uint64_t endNs;   ///< the same; of a Mark beginNs; 0: it had not ended when recording did
  HostRangeKind kind;
  std::uint32_t name;    ///< string: its message
  std::uint32_t domain;  ///< string: its domain's name, empty for the default one
  std::uint32_t process; ///< as the system numbers it
  std::uint32_t thread;  ///< the same
  std::uint32_t color;   ///< alpha, red, green, blue from the highest byte on; 0: none
};
static_assert(sizeof(HostRangeRecord) == 40 && offsetof(HostRangeRecord, color) == 36);

enum class RegionKind : std::uint32_t {
  Kernel = 0,      ///< the whole body of a __global__ function
  Scope = 1,       ///< KPERF_SCOPE: strictly nested, written as one Span
  Range = 2,       ///< KPERF_BEGIN/KPERF_END: Begin and End events, paired first in, first out
  Mark = 3,        ///< KPERF_MARK: instants
  Pragma = 4,      ///< #pragma kperf region: strictly nested, written as one Span
  Automatic = 5,   ///< placed by --auto or a selection file: strictly nested
  Calibration = 6, ///< the runtime's own kernel of empty regions: what a probe costs; not the program's time
  Wait = 7,        ///< a construct that waits: Span records whose `lanes` is the object waited for (since 1.3)
  Signal = 8,      ///< a construct that others, or the warp itself, wait for: Mark records whose payload is the object (since 1.3)
};

/// What a construct of kind Wait or Signal does with its object.
enum class SyncOperation : std::uint32_t {
  None = 0,        ///< of every other kind of region
  Barrier = 1,     ///< Wait: arrives, and waits until all participants have
  Await = 2,       ///< Wait: until others have arrived, or asynchronous work has completed
  Arrive = 3,      ///< Signal: counts towards what others wait for
  Issue = 4,       ///< Signal: starts asynchronous work
  Commit = 5,      ///< Signal: closes a group of the asynchronous work that the lanes started
  ArriveIssue = 6, ///< Signal: an Arrive, and directly behind it Issues on the same object (since 1.8)
  CommitAwait = 7, ///< Wait: a Commit, and directly behind it an Await of groups of the same kind (since 1.9)
  Expect = 8,      ///< Signal: says how many arrivals complete a phase of the object; the payload is as kExpectedShift says (since 1.11)
};

/// The 32-bit object of a Wait or a Signal. Objects of two kinds, and of two blocks unless the kind says otherwise, are different ones.
enum class SyncObject : std::uint32_t {
  Unknown = 0,        ///< nothing is known; the value is 0
  Lanes = 1,          ///< lanes of the same warp; the value is 0
  BlockBarrier = 2,   ///< one of the block's hardware barriers: its number
  ClusterBarrier = 3, ///< of all blocks of the cluster; the value is 0
  GridBarrier = 4,    ///< of all blocks of the launch; the value is 0
  SharedBarrier = 5,  ///< a barrier object in shared memory: its address in the shared window
  CopyGroup = 6,      ///< the warp's own groups of asynchronous copies: Await: groups that may be left pending, or kNextGroup; else 0
  BulkGroup = 7,      ///< the same of bulk copies
  MatrixGroup = 8,    ///< the same of asynchronous matrix products
  Pipeline = 9,       ///< a pipeline of the block's warps: a number for which; Await: what each committed to it next (since 1.7)
  RemoteBarrier = 10, ///< a barrier object that may be in another block's shared memory; the value is 0 (since 1.7)
  PipelineStage = 11, ///< a Pipeline's stages: its number << kPipelineShift | how many, 0: not known; Await: until one is free (since 1.9)
  PipelineSlot = 12,  ///< the slot that a SharedBarrier says is full: the barrier's address; Await: until it is free (since 1.17)
  SomeBlockBarrier = 13, ///< one of the block's hardware barriers, not known which; the value is 0 (since 1.17)
};
/// Of an Await's SharedBarrier or PipelineSlot on a GPU, added to the address: other blocks of the cluster may take part (since 1.17).
inline constexpr std::uint32_t kOfCluster = 1;
/// In place of a SharedBarrier's or a PipelineSlot's address that is not known (since 1.17).
inline constexpr std::uint32_t kNoAddress = ~0u;
/// In place of a BlockBarrier's number where the code came to no barrier (since 1.17); hardware has fewer.
inline constexpr std::uint32_t kNoBarrier = 255;
inline constexpr unsigned kPipelineShift = 8; ///< bits of a PipelineStage's count (since 1.9)
/// Of an Expect's payload: the object in the bits below, in units of 8 bytes where it is an address; arrivals from here on (since 1.11).
inline constexpr unsigned kExpectedShift = 15;
inline constexpr std::uint32_t kMaxExpected = (1u << (32 - kExpectedShift)) - 1; ///< as many, or more (since 1.11)
inline constexpr std::uint32_t kNextGroup = ~0u; ///< until one more group is complete than waits were for before (since 1.7)

/// Ids below kFirstFreeId are reserved. Those of the calibration kernel: one warp runs kCalibrationPasses times an enclosing region of
/// kCalibrationRegions empty ones (16 in each of four until 1.20): an empty region's length is what a probe adds to its own region, the
/// enclosing region's length less that, over the number of empty ones in it, what it adds to the one around it. Own and shared: the two
/// kinds of WarpFlags. They are straight-line code, a good part of what is compiled for a small kernel: so no more than it takes.
inline constexpr std::uint32_t kCalibrationKernel = 1;
inline constexpr std::uint32_t kCalibrationOwnEmpty = 2;
inline constexpr std::uint32_t kCalibrationOwnEnclosing = 3;
inline constexpr std::uint32_t kCalibrationSharedEmpty = 4;
inline constexpr std::uint32_t kCalibrationSharedEnclosing = 5;
inline constexpr std::uint32_t kForeignKernel = 6; ///< of warps that are kWarpForeign
inline constexpr std::uint32_t kFirstFreeId = 16;
inline constexpr std::uint32_t kCalibrationPasses = 16;
inline constexpr std::uint32_t kCalibrationRegions = 4;
inline constexpr std::uint32_t kMaxSums = 32; ///< regions of one kernel that a warp can sum up

/// One row of the region table. Ids are content hashes, so that two translation units agree on the regions of a header.
struct RegionRecord {
  std::uint32_t id; ///< 24 bits, never 0
  RegionKind kind;
  std::uint32_t name;     ///< string: the annotation's name, or the kernel's
  std::uint32_t function; ///< string: qualified name of the function that holds it; a kernel's own and, since 1.12, " [N=4 T=float]":
                          ///< macros that it was compiled with
  std::uint32_t file;     ///< string: path as the compiler was given it
  std::uint32_t source;   ///< string: text of the source line
  std::uint32_t line;     ///< 1-based
  std::uint32_t column;   ///< 1-based
  std::uint32_t endLine;  ///< last line of the region where the source says, else equal to line
  union {
    std::uint32_t sync; ///< of a Wait or a Signal: SyncOperation | SyncObject << kSyncObjectShift (since 1.3; 0 before)
    std::uint32_t next; ///< of other kinds: id of the region that its Adjacent records go on with, or 0 (since 1.8; 0 before)
  };
};
static_assert(sizeof(RegionRecord) == 40 && offsetof(RegionRecord, sync) == 36 && offsetof(RegionRecord, next) == 36);
inline constexpr unsigned kSyncObjectShift = 8;

/// What an access site does.
enum class SiteKind : std::uint32_t {
  Load = 0,
  Store = 1,
  Update = 2, ///< a load and a store of the same place: +=, ++
  Atomic = 3,
  Unseen = 4, ///< an access in the source that no probe watches; `reason` says why
};

/// One place in the source that accesses memory. Ids are content hashes, like those of regions; Unseen sites have id 0.
struct SiteRecord {
  std::uint32_t id; ///< 24 bits
  SiteKind kind;
  std::uint32_t region;       ///< id of the innermost region whose text holds the site; 0 when none does
  std::uint32_t elementBytes; ///< bytes that one lane accesses; 0 where they depend on template arguments
  std::uint32_t function;     ///< string: qualified name of the function that holds it
  std::uint32_t file;         ///< string: path as the compiler was given it
  std::uint32_t source;       ///< string: text of the source line
  std::uint32_t expression;   ///< string: what is accessed, or the address of it, on one line
  std::uint32_t line;         ///< 1-based
  std::uint32_t column;       ///< 1-based
  std::uint32_t width;        ///< bytes of the expression that stand on that line
  std::uint32_t reason;       ///< string: why an Unseen site is not counted; 0 for others
};
static_assert(sizeof(SiteRecord) == 48 && offsetof(SiteRecord, reason) == 44);

/// Indices of SiteCounterRecord::counts. One access is one instruction of a warp: a site whose element is larger than 16
/// bytes, or less aligned than it is large, counts once for each piece that one instruction moves (a power of two, at most
/// 16 bytes and at most the type's alignment). Distinct: by all lanes of that instruction together.
enum SiteCounter : unsigned {
  // Global memory.
  kAccesses,      ///< instructions of a warp; of bulk copies, each lane's on its own
  kLanes,         ///< lanes that were active in them
  kBytes,         ///< asked for by the lanes
  kDistinctBytes, ///< what is left of those when lanes ask for the same
  kSectors,       ///< 32-byte sectors touched; of atomics each as often as the address in it that most lanes have has lanes
  kMinSectors,    ///< that the distinct bytes would fit in; of atomics all lanes' bytes, and no fewer than lanes at one address
  kLines,         ///< 128-byte lines touched
  kMinLines,      ///< that the distinct bytes would fit in
  kBroadcast,     ///< accesses whose lanes all have one address (two lanes or more)
  kUnit,          ///< accesses in which each lane follows the one before without a gap; a single lane's and bulk copies too
  kStrided,       ///< accesses with another constant distance from lane to lane
  kIrregular,     ///< all other accesses
  kStrideBytes,   ///< sum of those constant distances, without their signs
  kMisaligned,    ///< unit accesses that begin off a 32-byte boundary and touch more sectors than they had to
  kSerialLanes,   ///< sum over the accesses of the most lanes with the same address: what atomics have to wait for
  // Shared memory.
  kSharedAccesses,
  kSharedLanes,
  kSharedBytes,
  kWavefronts,    ///< passes over the 32 banks of 4 bytes; of 8-byte accesses each half of a warp, of 16-byte each
                  ///< quarter; two
                  ///< of these together in loads where all lanes want what the next, or what the second next one does;
                  ///< of atomics each lane has its own pass at its bank
  kMinWavefronts, ///< without conflicts: one for each such group that has an active lane; of atomics one for each lane at one address
  kSharedStrided, ///< accesses with a constant distance other than 0 and the element's size
  kSharedStrideBytes,
  kSharedSerialLanes,
  // Everything else: local memory, constant memory, other blocks' shared memory.
  kOtherAccesses,
  kSiteCounters
};

/// Of SiteCounterRecord::groups.
inline constexpr std::uint16_t kGroupsMask = 0x7ff;
inline constexpr unsigned kExecutionsShift = 11;

/// What the accesses of one site added up to since the record before.
struct SiteCounterRecord {
  std::uint32_t site; ///< id
  std::uint32_t device;
  std::uint32_t sampled; ///< one in this many blocks was counted, or executions, or both; 1: all of them
  std::uint16_t group;   ///< 1 to `groups`: what blocks of one of so many groups of about equal size counted (since 1.10); 0: of all
  std::uint16_t groups; ///< (since 1.10) 0: the counters are not split; above kGroupsMask (since 1.13) the logarithm of how many executions
                        ///< of the site by a warp, in the blocks that were counted, each one that was counted stands for
  std::uint64_t counts[kSiteCounters];
};
static_assert(sizeof(SiteCounterRecord) == 208 && offsetof(SiteCounterRecord, counts) == 16);

/// What the machine code of the build without probes executes for an access site, and the site's counters therefore count.
enum class MachineState : std::uint16_t {
  Unknown = 0, ///< of sites without a record too: the counters are of the source
  Same = 1,    ///< an instruction of the element's size for each access
  Wide = 2,    ///< instructions of `bytes` bytes, each of which makes several accesses of the source: of this site, or of Merged ones too
  Merged = 3,  ///< an instruction of the site `leader` makes them: they count there, and nowhere else
  Narrow = 4,  ///< instructions of `bytes` bytes for those pieces of the element of which bit i of `pieces` is set, i from its begin on
  Removed = 5, ///< no instruction: nothing is counted
  Varies = 6,  ///< not the same instructions in all places where the site was compiled to: the counters are of the source
};

struct MachineAccessRecord {
  std::uint32_t site;   ///< id
  std::uint32_t leader; ///< id of another site where the state is Merged, else 0
  MachineState state;
  std::uint16_t bytes; ///< that an instruction moves for a lane, where the state is Wide or Narrow, else 0
  std::uint32_t
      pieces; ///< Narrow: as above; Wide: 1 + the byte of the instruction's memory whose access stands for it, 0: each one does; else 0
};
static_assert(sizeof(MachineAccessRecord) == 16 && offsetof(MachineAccessRecord, pieces) == 12);
inline constexpr unsigned kMachineBytesShift = 8, kMachinePiecesShift = 16; ///< of one word that holds state, bytes and pieces

enum LaunchFlags : std::uint32_t {
  kLaunchCooperative = 1,
  kLaunchCaptured = 2,   ///< recorded into a graph: it runs once per replay, not here
  kLaunchPlain = 4,      ///< the kernel's copy without probes ran: nothing was recorded (since 1.12)
  kLaunchUnrecorded = 8, ///< by a build whose probes record none of its warps, merged with one whose do (since 1.12)
};
/// Of LaunchRecord::flags: above it N where the launch was to be recorded with probability 1/N, whatever came before it, and
/// kLaunchPlain says that it is not; 0 where that is not known (since 1.15).
inline constexpr unsigned kLaunchOneInShift = 8;

/// One launch as the host saw it. The device names a launch by gridId; the k-th launch of a kernel here is the k-th gridId
/// of that kernel on the device unless graphs or uninstrumented launches intervene.
struct LaunchRecord {
  std::uint64_t hostNs; ///< host wall clock (Unix, ns) at the call
  std::uint64_t stream; ///< the stream handle, 0 for the default one
  std::uint32_t device;
  std::uint32_t kernel;   ///< string: demangled name
  std::uint32_t grid[3];  ///< blocks
  std::uint32_t block[3]; ///< threads
  std::uint32_t dynamicSharedBytes;
  std::uint32_t flags; ///< LaunchFlags
};
static_assert(sizeof(LaunchRecord) == 56 && offsetof(LaunchRecord, flags) == 52);

/// What a kernel needs, as the vendor's runtime says it of the compiled code, and how long its launches took, where that was
/// asked for. One row for each kernel, device, block size and dynamic shared memory; rows of the same four in one file are of
/// further launches.
struct KernelRecord {
  std::uint32_t kernel; ///< string: demangled name, as in LaunchRecord
  std::uint32_t device;
  std::uint32_t blockThreads;
  std::uint32_t dynamicSharedBytes;
  std::uint32_t registers;         ///< of a thread
  std::uint32_t localBytes;        ///< of a thread: what does not fit into registers, and what is indexed
  std::uint32_t staticSharedBytes; ///< of a block
  std::uint32_t maxThreads;        ///< that a block of this kernel can have
  std::uint32_t residentBlocks;    ///< that one multiprocessor holds at a time
  std::uint32_t launches;          ///< that were timed; the times of 0 are 0
  std::uint64_t totalNs;           ///< between events of the stream before and behind each launch
  std::uint64_t minNs;
  std::uint64_t medianNs;
};
static_assert(sizeof(KernelRecord) == 64 && offsetof(KernelRecord, totalNs) == 40);

enum LaunchTimesFlags : std::uint32_t {
  kTimesPlain = 1, ///< the kernel ran without probes: its copy, or as a build has it that gives it none
};

/// How long some launches took that are alike: of one kernel, device, grid, block and dynamic shared memory, with probes or without. Which
/// launches were timed did not depend on how long they take. Rows of the same are of further launches.
struct LaunchTimesRecord {
  std::uint32_t kernel; ///< string: demangled name, as in LaunchRecord
  std::uint32_t device;
  std::uint32_t grid[3];  ///< blocks
  std::uint32_t block[3]; ///< threads
  std::uint32_t dynamicSharedBytes;
  std::uint32_t flags;    ///< LaunchTimesFlags
  std::uint32_t run;      ///< of the program: 0, and more in a file that was made of several
  std::uint32_t reserved; ///< 0
  std::uint64_t launches; ///< that were timed, by events of the stream before and behind each
  std::uint64_t totalNs;  ///< of all of them
  // Of those left without the fifth that took least and the fifth that took most, each rounded down. IEEE 754, finite, not negative.
  double middleNs; ///< the mean
  double errorNs;  ///< its standard error, by the variance of all with each fifth moved to the nearest time that is left; 0 of one launch
};
static_assert(sizeof(LaunchTimesRecord) == 80 && offsetof(LaunchTimesRecord, launches) == 48);

enum class KeepPolicy : std::uint32_t {
  First = 0, ///< the first `capacity` records of each warp are kept
  Last = 1,  ///< the last ones: a ring
};

struct WarpsHeader {
  std::uint32_t device;
  KeepPolicy policy;
};
static_assert(sizeof(WarpsHeader) == 8);

enum WarpFlags : std::uint16_t {
  kWarpFinished = 1,     ///< endNs, endCycles and produced are valid; without it the warp was still running or had trapped
  kWarpReserved = 2,     ///< records were reserved when their regions began and stand in that order; their generation counts
                         ///< the laps of the ring. Without it they stand in the order of their ends, generation 0
  kWarpContinued = 4,    ///< more records of the warp before it in the section, which differs only in produced, capacity, flags
  kWarpForeign = 8,      ///< a warp of a kernel without probes, seen from its first region on; never finished
  kWarpWindow = 16,      ///< the part can skip records: `skipped` says how many it did (since 1.5)
  kWarpInChunks = 32,    ///< on the device only: its lanes took places several at a time (kperf_device_config::chunk_mask), and left some
                         ///< empty; the runtime puts the records in order
  kWarpOthersPlain = 64, ///< blocks of its launch that are not recorded run the kernel's body without probes (since 1.21)
};

/// One warp of one launch, written by the device itself: the buffer's layout is the file's. A warp whose regions stand in
/// code that may diverge, or in functions, keeps those in a second part that follows the first.
/// Kept records follow it: min(produced - skipped, capacity) of them, oldest first (the runtime unrolls the ring).
/// Of an unfinished warp, every record that is not zero is kept and `produced` counts those; of one that is kWarpForeign and
/// found no room for some, every record is kept and `produced` counts these too.
/// Members that a warp writes at the same time lie in the same 16 bytes.
struct WarpHeader {
  std::uint64_t gridId;      ///< unique per launch on its device; ascending in launch order, but for replays (kReplayShift)
  std::uint64_t block;       ///< linear block index, x fastest
  std::uint64_t startNs;     ///< device wall clock at kernel entry
  std::uint64_t startCycles; ///< SM clock at kernel entry, read next to startNs
  std::uint64_t endNs;       ///< device wall clock at exit
  std::uint64_t endCycles;   ///< SM clock at exit, read next to endNs
  std::uint64_t nameAddress; ///< device: address of the instantiation's name; in the file: string offset, 0 when not a template
  std::uint32_t kernel;      ///< region id of the kernel
  std::uint32_t capacity;    ///< records there was room for
  std::uint32_t gridX;
  std::uint16_t gridY;
  std::uint16_t gridZ;
  std::uint16_t blockX;
  std::uint16_t blockY;
  std::uint16_t blockZ;
  std::uint16_t warp;     ///< index in the block
  std::uint32_t produced; ///< records the warp produced, kept or not
  std::uint16_t sm;
  std::uint16_t flags; ///< WarpFlags
  union {
    std::uint32_t slotBytes; ///< device: bytes from here to the next header
    std::uint32_t skipped;   ///< in the file: records, of those produced, that KPERF_SKIP left out before the first kept one (since 1.5)
  };
  union {
    std::uint32_t nameBytes; ///< device: bytes of the instantiation's name with its NUL
    std::uint32_t sampled;   ///< in the file: one in this many blocks was recorded; 0: all of them (since 1.4)
  };
};
static_assert(sizeof(WarpHeader) == 96 && offsetof(WarpHeader, endNs) == 32 && offsetof(WarpHeader, kernel) == 56 &&
              offsetof(WarpHeader, gridX) == 64 && offsetof(WarpHeader, produced) == 80 && offsetof(WarpHeader, flags) == 86);

/// A kernel of a graph has the same gridId in each replay. In the file the k-th replay that was seen, from 0 on, adds k << kReplayShift
/// (since 1.5; before, all replays had one gridId).
inline constexpr unsigned kReplayShift = 32;

enum class RecordKind : std::uint32_t {
  Empty = 0,    ///< reserved by a region that never ended
  Span = 1,     ///< first = begin clock, second = end clock
  Begin = 2,    ///< first = clock
  End = 3,      ///< first = clock
  Mark = 4,     ///< first = clock, second = payload
  Sum = 5,      ///< of all entries of a region that a warp made: first and second = low and high word of their cycles, lanes
                ///< = how many, which may be 0 (since 1.2)
  Extremes = 6, ///< behind each Sum, of the same region: first = cycles of the shortest entry, second = of the longest, lanes
                ///< = 1 + index, among the part's Sums, of the region around it; 0: none of them is around it (since 1.2)
  Total = 7,    ///< a Sum without Extremes: first = the low word of the cycles, which is all of them where the warp lived
                ///< for less than 2^32, second = what `lanes` is in Extremes, lanes = how many entries (since 1.4)
  Lengths = 8,  ///< behind the others of a summed region, none or kLengthsRecords of them: the i-th has in first, second
                ///< and lanes how many entries have a length of power 3i, 3i + 1 and 3i + 2 (kLengthPowers; since 1.7)
  Adjacent = 9, ///< the Spans of two regions, the second of which begins with the clock that the first one ends with:
                ///< first = begin, second = that clock, lanes = end of RegionRecord::next. By all lanes of the warp,
                ///< and not under kWarpReserved (since 1.8)
};

/// One event or span. Clocks are the low 32 bits of the SM clock; the reader unwraps them by the warp's start and order.
/// tag = id | kind << 24 | generation << 28, where generation is the low 4 bits of (index / capacity) under kWarpReserved, so
/// that a slot whose region never ended does not show what an earlier lap of the ring left there, and 0 otherwise.
struct Record {
  std::uint32_t first;
  std::uint32_t second;
  std::uint32_t lanes; ///< mask of the lanes that were active at the beginning (low 32 of a 64-lane wave)
  std::uint32_t tag;
};
static_assert(sizeof(Record) == 16 && offsetof(Record, tag) == 12);

/// Powers of two by which lengths are counted on the device: power 0 is the length 0, power p holds lengths from 2^(p-1) to below 2^p.
inline constexpr std::uint32_t kLengthPowers = 33;
inline constexpr std::uint32_t kLengthsRecords = kLengthPowers / 3; ///< of kind Lengths, of one region

inline constexpr std::uint32_t kIdMask = 0x00ffffff;
inline constexpr unsigned kKindShift = 24;
inline constexpr std::uint32_t kKindMask = 0xf;
inline constexpr unsigned kGenerationShift = 28;

enum class LossKind : std::uint32_t {
  WarpsWithoutBuffer = 1,   ///< warps that found the device buffer full
  LaunchesUnrecorded = 2,   ///< launches made while recording was off (stopped, no memory, after a fork, after a fault)
  Unreadable = 3,           ///< bytes of device buffer that could not be copied back (after a device fault)
  LaunchesUnlisted = 4,     ///< launches that have no LaunchRecord: there were too many
  SitesUnreadable = 5,      ///< memory access sites whose counters could not be copied back (since 1.1)
  SwitchedOff = 6,          ///< kernels and regions that the user did not want to be recorded (since 1.5)
  ReferencesUnreadable = 7, ///< uses of cache lines that could not be copied back (since 1.6)
  OtherLanes = 8,     ///< lanes that came to a region of a function without the lane that records there, and left no record (since 1.10)
  RangesUnlisted = 9, ///< NVTX ranges and marks that have no HostRangeRecord: there were too many (since 1.16)
};

struct LossRecord {
  LossKind kind;
  std::uint32_t device;
  std::uint64_t count;
  std::uint64_t reason; ///< string (low 32 bits): what the runtime said on stderr, 0 when nothing
};
static_assert(sizeof(LossRecord) == 24);

struct EndRecord {
  std::uint64_t sections; ///< number of sections before this one
  std::uint64_t warps;    ///< warps in all Warps sections
};
static_assert(sizeof(EndRecord) == 16);

} // namespace kperf::format

#endif
