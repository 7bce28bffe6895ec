// Lists the traits of kernels, the named arguments of kperf::Kernel that the rewriter decides on; Clang's declarations, the probes of every
// target and the rewriter's text are made from this list.
//
// KPERF_KERNEL_TRAITS(COUNT, FLAG) applies one of its arguments to each trait's class and member. Those whose names begin with Max bound
// the records that a warp can produce in a part of its slot (~0u: no bound; 0: none, and then there is no such part).
//   MaxConvergent    by what a whole warp comes to together
//   MaxDivergent     by what lane 0 comes to with whoever is there
//   MaxShared        by lanes without lane 0 and, where IsCalled, by functions
//   StagingRoom      what a whole warp records is gathered in registers (StagedPart in gpu/record/Parts.h, which says what the number is)
//                    where it is not 0, and no buffer in shared memory takes it (gpu/record/SharedRecords.h)
//   SummedRegions    how many regions are summed up (SumScope)
//   IsCalled         functions that the kernel calls record into its shared part
//   HasObjects       some records hold an object or a clock in place of the lanes (ConvergentWait)
//   Narrows          stays() may leave out lanes of a warp for some time, or for good
//   Settles          a barrier may stand in front of any of the probes without a settle() in between, so each of them waits for it
//   HasExtremes      of what is summed up, the shortest and the longest entry are kept, and 64 bits of the sum
//   HasHistogram     and how many entries were how long, by powers of two
#ifndef KPERF_KERNEL_TRAITS_H
#define KPERF_KERNEL_TRAITS_H

#define KPERF_KERNEL_TRAITS(COUNT, FLAG)                                                                                                   \
  COUNT(MaxConvergent, maxConvergent)                                                                                                      \
  COUNT(MaxDivergent, maxDivergent)                                                                                                        \
  COUNT(MaxShared, maxShared)                                                                                                              \
  COUNT(StagingRoom, stagingRoom)                                                                                                          \
  COUNT(SummedRegions, summedRegions)                                                                                                      \
  FLAG(IsCalled, isCalled)                                                                                                                 \
  FLAG(HasObjects, hasObjects)                                                                                                             \
  FLAG(Narrows, narrows)                                                                                                                   \
  FLAG(Settles, settles)                                                                                                                   \
  FLAG(HasExtremes, hasExtremes)                                                                                                           \
  FLAG(HasHistogram, hasHistogram)

namespace kperf {

/// What holds of a kernel that is told nothing else.
struct KernelTraitDefaults {
#define KPERF_COUNT(Trait, member) static constexpr unsigned member = 0;
#define KPERF_FLAG(Trait, member) static constexpr bool member = false;
  KPERF_KERNEL_TRAITS(KPERF_COUNT, KPERF_FLAG)
#undef KPERF_COUNT
#undef KPERF_FLAG
};

// The defaults are a virtual base, so that the name in a trait hides theirs in whatever derives from both.
#define KPERF_COUNT(Trait, member)                                                                                                         \
  template <unsigned _Value> struct Trait : virtual KernelTraitDefaults {                                                                  \
    static constexpr unsigned member = _Value;                                                                                             \
  };
#define KPERF_FLAG(Trait, member)                                                                                                          \
  struct Trait : virtual KernelTraitDefaults {                                                                                             \
    static constexpr bool member = true;                                                                                                   \
  };
KPERF_KERNEL_TRAITS(KPERF_COUNT, KPERF_FLAG)
#undef KPERF_COUNT
#undef KPERF_FLAG

/// The traits of one kernel, in any order: never constructed, only asked, as in KernelTraits<MaxConvergent<3>, Settles>::settles.
template <typename... _Traits> struct KernelTraits : virtual KernelTraitDefaults, _Traits... {};

} // namespace kperf

#endif
