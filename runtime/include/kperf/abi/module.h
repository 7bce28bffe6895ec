// The C ABI between an instrumented translation unit and the kperf runtime library.
//
// Each instrumented object registers one kperf_module from a static initialiser that the rewriter appends. The module
// brings its own GPU API (functions compiled in that translation unit against the vendor's headers), so the runtime
// library itself depends on no vendor and serves CUDA, HIP and the host target alike.
#ifndef KPERF_MODULE_H
#define KPERF_MODULE_H

#ifndef __CUDACC_RTC__ // NVRTC has no standard library: probe_nvrtc.h stands in for it
#include <cstddef>
#include <cstdint>
#endif

extern "C" {

/// One row of a translation unit's region table; strings live as long as the module.
struct kperf_region {
  uint32_t id;   ///< 24-bit content hash, never 0
  uint32_t kind; ///< kperf::format::RegionKind
  const char *name;
  const char *function;
  const char *file;
  const char *source; ///< text of the source line
  uint32_t line, column, end_line;
  uint32_t sync;           ///< kperf::format::RegionRecord::sync or next
  uint32_t frame = 0;      ///< 0; or KPERF_IN_STREAM, and in a frame its first clock's word | its last one's << 8 | its object's << 16
  uint32_t frame_next = 0; ///< id of the region behind it in its frame, or 0
};

/// Of kperf_region::frame: functions record it into streams (cuda/record/FunctionStream.h).
#define KPERF_IN_STREAM 0x80000000u
/// The same, and frames hold it.
#define KPERF_IN_FRAME 0x40000000u
/// Of WarpHeader::flags on the device: a function's stream, whose nameBytes are the words of a record and, above KPERF_STREAM_LANES_SHIFT,
/// how many lanes its warp has for it, or 0 where any may come (cuda/record/EventRow.h); whose nameAddress is how much oftener lanes came
/// to a record than all of these came to what it produced; and whose produced counts sixteen-byte pieces.
#define KPERF_STREAM_PART 0x4000u
#define KPERF_STREAM_LANES_SHIFT 8

/// Where a warp's function goes on when it is called again. Written by one store, so that no reader sees half of it.
struct alignas(16) kperf_stream {
  uint64_t key;   ///< of launch, block, warp and function; 0: free
  uint32_t part;  ///< bytes from the arena's begin to the stream's first record; 0: it found no room
  uint32_t units; ///< sixteen-byte pieces that were produced
};

/// Threads of a block of the kernel that empties parts of the arena (gpu/record/ArenaReclaim.h).
#define KPERF_RECLAIM_THREADS 256u
/// Warps that a multiprocessor can hold, at least: by the compute capabilities of NVIDIA's programming guide.
#define KPERF_RESIDENT_WARPS 64u
/// Rows of the table that one warp has: one of its kernel's, one of events', and the others of functions'. A power of two.
#define KPERF_STREAM_ROWS 8u

/// One row of a translation unit's table of access sites; strings live as long as the module.
struct kperf_site {
  uint32_t id;     ///< 24-bit content hash, and kperf::kRunsOnce; 0 where nothing is counted
  uint32_t kind;   ///< kperf::format::SiteKind
  uint32_t region; ///< id of the region that holds it, or 0
  uint32_t bytes;  ///< of one lane's element, or 0
  const char *function;
  const char *file;
  const char *source; ///< text of the source line
  const char *expression;
  const char *reason; ///< why nothing is counted, or ""
  uint32_t line, column, width;
  uint32_t machine = 0; ///< kperf::format::MachineState, with the rest of the record above: format::kMachineBytesShift
  uint32_t leader = 0;  ///< id of the site whose instruction makes the access, or 0
};

/// One entry of the table in device memory through which a probe finds its site's counters: open addressing, linear
/// probing from id & site_mask (ids are hashes already). Behind the table there is a word for each entry, of 64 bits, to which the device
/// adds one for about each detail::kCountedPerStep executions that were counted (kperf/rules/AccessSample.h).
struct kperf_site_entry {
  uint32_t id;  ///< 0: the end of a probe sequence
  uint32_t row; ///< index of the site's counters, behind them, where executions are sampled, those of its other rates
                ///< (kperf/rules/AccessSample.h), and from KPERF_MACHINE_CODE_SHIFT on its kperf::detail::MachineCode
};

/// There are no more sites than this leaves rows for.
#define KPERF_MACHINE_CODE_SHIFT 19u

/// What the accesses of one site added up to, in one copy of all sites.
struct kperf_site_row {
  uint64_t patterns[32]; ///< of evenly spaced accesses (kperf/rules/AccessPattern.h); 0: none yet
  uint64_t times[32];    ///< how often each pattern came, which is in none of the counters below; KPERF_TAKEN: its place is taken
  uint64_t counts[32];   ///< kperf::format::SiteCounter; the last ones are not used
  uint64_t lone[16];     ///< how often a lane came alone: kperf::detail::AccessPattern::loneIndex; in none of the counters above
};

#define KPERF_TAKEN (1ull << 63)

/// What the device code of one module reads through its module-level symbol; filled by the runtime before the first launch.
struct kperf_device_config {
  uint64_t arena;      ///< device address of the first part's memory; 0 records nothing
  uint64_t parts;      ///< device address of kperf_arena_part[part_count]
  uint64_t part_bytes; ///< memory of one part, which crosses no multiple of 4 GiB
  uint32_t part_count;
  uint32_t records_per_warp; ///< most records a part of a warp's slot keeps; a power of two
  uint32_t keep_last;        ///< 1: ring of the last records; 0: the first ones are kept
  uint32_t ring_bytes;       ///< records_per_warp * sizeof(Record)
  uint32_t ring_shift;       ///< log2(ring_bytes)
  uint32_t ring_mask;        ///< what remains of a record's index in a ring: records_per_warp - 1, or ~0 without one
  uint32_t site_mask;        ///< entries of the site table - 1
  uint64_t sites;            ///< device address of the site table; 0 counts no accesses
  uint64_t site_counters;    ///< device address of rows of kperf_site_row
  uint32_t site_rows;        ///< rows in one copy; there are site_copy_mask + 1 copies, to be added up
  uint32_t site_copy_mask;   ///< chooses a copy: by the multiprocessor's number, or by detail::blockGroup where blocks are sampled
  uint32_t sample;           ///< one in this many blocks is recorded, and its accesses are counted; 0: none
  uint32_t max_warps_log2; ///< a launch with more warps than 2 to that power is recorded of as few blocks more (kperf/rules/BlockSample.h)
  uint32_t timer_tick_ns;  ///< of kperf_device_info
  uint32_t skip;           ///< records of each part of a warp's slot that come before the first that is kept
  uint64_t switched_off;   ///< device address of KPERF_SWITCHES bits; 0: everything is recorded
  uint64_t references;     ///< device address of a kperf_reference_log; 0: no reference to a cache line is kept
  uint64_t reference_room; ///< records of each class; those of class 0 follow the log, then those of class 1, …
  uint64_t streams;        ///< device address of kperf_stream[stream_mask + 1]; 0: no function has a stream, or nothing is recorded
  uint32_t stream_mask;    ///< rows of that table - 1, a power of two less one
  uint32_t stream_units;   ///< sixteen-byte pieces that a stream keeps: records_per_warp, or 0x7ffffff0 where it is a ring
  uint32_t chunk_mask;     ///< records that a lane of a kWarpInChunks part takes at once - 1; their number is a power of two
  uint32_t access_limit;   ///< executions of accesses with a detail::accessHash below it are counted; 0: none
  uint32_t access_log2;    ///< the logarithm of how many each of them stands for
  uint32_t sample_log2;    ///< of `sample`, rounded up
  float access_gaps[3];    ///< by level, detail::accessGap(detail::accessLevelLog2(level, access_log2))
};

/// References to cache lines (kperf/format_references.h), which the probes of all multiprocessors write.
struct kperf_reference_log {
  uint32_t order;    ///< how many were kept, or tried to be
  uint32_t closed;   ///< bit c: class c has no more room
  uint32_t used[24]; ///< of each class; may exceed the room: the excess was refused
  uint32_t padding[2];
};

/// Bit id % KPERF_SWITCHES is set where a kernel or region of that id is not to be recorded.
#define KPERF_SWITCHES 16384u

/// The arena is split, so that the warps of different multiprocessors do not queue for one counter: with a single one, each
/// warp that enters a kernel costs 1 ns of an H200's time (test/bench/entry.cu).
struct kperf_arena_part {
  uint64_t used_bytes; ///< may exceed part_bytes: the excess was refused
  uint64_t warps_refused;
  uint64_t is_arena_full; ///< of the first part: a warp found room in none
  uint64_t apart[13];     ///< keeps the counters of two parts in different cache lines
};

struct kperf_device_info {
  char name[256];
  char architecture[32];
  char driver[64];
  uint32_t multiprocessors, warp_lanes, clock_khz, timer_tick_ns;
  uint64_t memory_bytes, free_bytes;
  unsigned char uuid[16];
  uint64_t memory_bytes_per_second, l2_bytes; ///< these and resident_warps as in kperf::format::DeviceLimitsRecord
  uint32_t resident_warps, padding;
};

/// What kperf::format::ClockRecord says of a device.
struct kperf_clock_reading {
  uint64_t device_ns, host_from_ns, host_to_ns;
};

/// What compiled code needs; kperf::format::KernelRecord has the same members.
struct kperf_kernel_needs {
  uint32_t registers, local_bytes, static_shared_bytes, max_threads, resident_blocks;
};

/// The vendor API as the runtime needs it. Every function returns 0 or the vendor's error code and never prints.
/// All of them may be called while some stream is being captured.
struct kperf_gpu_api {
  uint32_t target;             ///< kperf::format::Target
  int (*device)(int *ordinal); ///< the calling thread's current device
  int (*info)(int ordinal, struct kperf_device_info *out);
  int (*allocate)(void **address, size_t bytes); ///< zeroed device memory on the current device
  int (*release)(void *address);
  int (*copy_back)(void *host, uint64_t device_address, size_t bytes);
  int (*clear)(uint64_t device_address, size_t bytes);
  int (*synchronize)(void);
  int (*select)(int ordinal); ///< makes a device current
  const char *(*error_text)(int code);
  int (*copy_to)(uint64_t device_address, const void *host, size_t bytes);
  /// What a kernel needs in blocks of that many threads; `kernel` is kperf_launch::function.
  int (*kernel_needs)(const void *kernel, uint32_t block_threads, uint32_t dynamic_shared_bytes, struct kperf_kernel_needs *out);
  int (*mark_time)(uint64_t stream, void **event); ///< makes an event of what the stream has been given so far
  /// Waits for both, or, where it is not to wait, fails when they are not done; releases them otherwise.
  int (*time_between)(void *first, void *last, bool is_to_wait, uint64_t *ns);
  /// Empties the parts of an arena of which so many bytes are in use as their row of `seen`, in device memory, says, and says ~0 there; may
  /// be 0. Warps that come meanwhile lose nothing.
  int (*reclaim)(uint64_t arena, uint64_t part_bytes, uint64_t parts, uint64_t seen, uint32_t count);
};

struct kperf_module {
  uint32_t abi; ///< KPERF_MODULE_ABI
  uint32_t region_count;
  const struct kperf_region *regions;
  const struct kperf_gpu_api *gpu;
  /// Writes the module's symbol on the current device.
  int (*configure)(struct kperf_module *module, const struct kperf_device_config *config);
  /// Runs the calibration kernel on the current device, and waits; 0 in a module without regions.
  int (*calibrate)(struct kperf_module *module);
  /// Compares the current device's clock with the host's, and waits; 0 in a module without regions. Fails where neither can be seen by the
  /// other, or the device's is a virtual one. `is_idle`: no kernel of the program runs; else the memory that both see is left allocated,
  /// since to release it waits for all kernels, of which one may wait for the host.
  int (*read_clock)(struct kperf_module *module, uint32_t is_idle, struct kperf_clock_reading *out);
  uint64_t configured; ///< bit d: the symbol on device d is set; owned by the runtime
  const struct kperf_site *sites;
  uint32_t site_count;
  uint32_t sample;          ///< one in this many blocks is to be recorded unless the user says otherwise; 0: all
  uint32_t sample_launches; ///< one in this many launches of a kernel is to be recorded unless the user says otherwise; 0: all
  uint32_t is_switchable;   ///< its probes look at kperf_device_config::switched_off
  uint32_t sample_accesses; ///< one in this many executions of an access is to be counted unless the user says otherwise; 0 or 1: by code
                            ///< that counts each one
  uint32_t overhead_budget; ///< millionths of the launches' time that recording may take unless the user says otherwise; 0: nobody said
};

#define KPERF_PLAIN_TOO 1u  /* there is a copy of the kernel without probes */
#define KPERF_PLAIN_ONLY 2u /* and the kernel was built like that: probes would have changed more than its time */

struct kperf_launch {
  uint64_t stream;
  const char *kernel;   ///< mangled name or 0
  const void *function; ///< what kernel_needs takes, or 0
  uint32_t grid[3], block[3];
  uint32_t dynamic_shared_bytes, flags; ///< kperf::format::LaunchFlags
  uint32_t has_plain = 0;               ///< 0, KPERF_PLAIN_TOO or KPERF_PLAIN_ONLY
  mutable uint32_t runs_plain = 0;      ///< set by kperf_before_launch: that is to be launched
};

#define KPERF_MODULE_ABI 16u

#ifndef __CUDACC_RTC__ // which takes no host functions
/// kperf_device_info::memory_bytes_per_second of a memory that moves data on both edges of its clock.
static inline uint64_t kperf_memory_bytes_per_second(uint64_t clock_khz, uint64_t bus_bits) { return clock_khz * 1000 * 2 * bus_bits / 8; }

/// Called by static initialisers. Never fails; a module of another ABI is refused with one line on stderr.
void kperf_module_register(struct kperf_module *module);
/// Called when a shared object that holds a module is unloaded.
void kperf_module_unregister(struct kperf_module *module);
/// 0 where no launch of this process is ever recorded: the hook need not tell of any, and launches what has no probes.
int kperf_wants_launches(void);
/// Called by the launch hook on the launching thread before each launch made from an instrumented translation unit.
void kperf_before_launch(struct kperf_module *module, const struct kperf_launch *launch);
/// Called behind each of these launches.
void kperf_after_launch(struct kperf_module *module, const struct kperf_launch *launch);
/// Called before the device's context goes away (cudaDeviceReset): collects what the current device holds.
void kperf_before_reset(struct kperf_module *module);

/// For users: what is launched from now on is recorded, or is not; waits for what was launched before, which is recorded to its end (and
/// appended to the trace), or not at all. 0, or -1 when that is so already or recording is off.
int kperf_start(void);
int kperf_stop(void);
/// For users: waits for the device, collects everything recorded so far and appends it to the trace. 0, or -1 when
/// recording is off.
int kperf_flush(void);
#endif
}

#endif
