// What the text of an assembly statement says of memory, instruction by instruction: AMD's, and forms of PTX that hang on more than one.
#include "rewriters/access/AsmAccess.h"

#include <gtest/gtest.h>

#include <string>

namespace kperf {
namespace {

/// "load 1 shared 4", and behind a colon why it is not counted; each access of the text, separated by "; ".
std::string accessesOf(llvm::StringRef text) {
  std::string out;
  for (const AsmAccess &access : findAsmAccesses(text, [](llvm::StringRef name) { return name == "from" ? 7 : -1; })) {
    const bool isLoad = access.kind == format::SiteKind::Load, isStore = access.kind == format::SiteKind::Store;
    const std::string bytes = access.bytesOperand ? "%" + std::to_string(*access.bytesOperand) : std::to_string(access.bytes);
    out += (out.empty() ? "" : "; ") +
           std::string(isLoad    ? "load"
                       : isStore ? "store"
                                 : "atomic") +
           " " + std::to_string(access.operand) + (access.isShared ? " shared " : " ") + bytes;
    if (access.condition)
      out += std::string(access.isNegated ? " unless " : " if ") + std::to_string(*access.condition);
    out += access.reason.empty() ? "" : ": " + access.reason;
  }
  return out;
}

TEST(AsmAccess, LocalMemoryOfAmdGpus) {
  EXPECT_EQ(accessesOf("ds_read_b64 %0, %1"), "load 1 shared 8");
  EXPECT_EQ(accessesOf("ds_load_u16 %0, %1 offset:4"), "load 1 shared 2");
  EXPECT_EQ(accessesOf("ds_read_u8_d16_hi %0, %1"), "load 1 shared 1");
  EXPECT_EQ(accessesOf("ds_read2_b64 %0, %1 offset1:8"), "load 1 shared 8: it reads two places");
  EXPECT_EQ(accessesOf("ds_load_2addr_b32 %0, %1"), "load 1 shared 4: it reads two places");
  EXPECT_EQ(accessesOf("ds_write_b96 %0, %1"), "store 0 shared 12");
  EXPECT_EQ(accessesOf("ds_store_b8 %0, %1"), "store 0 shared 1");
  EXPECT_EQ(accessesOf("ds_store_2addr_b64 %0, %1, %1"), "store 0 shared 8: it writes two places");
  EXPECT_EQ(accessesOf("ds_add_u32 %0, %1"), "atomic 0 shared 4");
  EXPECT_EQ(accessesOf("ds_max_rtn_u64 %0, %1, %2"), "atomic 1 shared 8");
  EXPECT_EQ(accessesOf("ds_swizzle_b32 %0, %1"), "") << "an exchange between lanes";
  EXPECT_EQ(accessesOf("ds_write_b32 v0, %0"), "") << "the address is no operand of the statement";
  EXPECT_EQ(accessesOf("ds_read_b24 %0, %1"), "load 1 shared 0: the assembly does not say how many bytes it moves");
}

TEST(AsmAccess, GlobalMemoryOfAmdGpus) {
  EXPECT_EQ(accessesOf("global_load_ushort %0, %1, off"), "load 1 2");
  EXPECT_EQ(accessesOf("global_load_dwordx3 %0, %1, off offset:16 glc"), "load 1 12");
  EXPECT_EQ(accessesOf("global_load_dword %0, %1, %2"), "load 2 4: its address is the sum of two operands");
  EXPECT_EQ(accessesOf("global_load_lds_dword %0, off"), "load 0 4");
  EXPECT_EQ(accessesOf("global_store_byte %0, %1, off"), "store 0 1");
  EXPECT_EQ(accessesOf("global_atomic_add %0, %1, off"), "atomic 0 4");
  EXPECT_EQ(accessesOf("global_atomic_add_x2 %0, %1, %2, off glc"), "atomic 1 8");
  EXPECT_EQ(accessesOf("flat_atomic_cmpswap_b64 %0, %1, %2"), "atomic 1 8");
  EXPECT_EQ(accessesOf("flat_store_dwordx2 %0, %1"), "store 0 8");
  EXPECT_EQ(accessesOf("global_wb"), "");
}

TEST(AsmAccess, BuffersAndScalarsOfAmdGpusAreNotCounted) {
  const std::string reason = ": a buffer's descriptor says where it is";
  EXPECT_EQ(accessesOf("buffer_load_dword %0, %1, %2, 0 offen"), "load 2 0" + reason);
  EXPECT_EQ(accessesOf("buffer_store_dword %0, %1, 0"), "store 1 0" + reason);
  EXPECT_EQ(accessesOf("buffer_atomic_add %0, %1, %2, 0 offen"), "atomic 2 0" + reason);
  EXPECT_EQ(accessesOf("tbuffer_load_format_x %0, %1, %2, 0"), "load 2 0" + reason);
  EXPECT_EQ(accessesOf("buffer_wbinvl1"), "");
  EXPECT_EQ(accessesOf("s_load_dwordx4 %0, %1, 0x0"), "load 1 16: a scalar load is made once for the whole wave");
  EXPECT_EQ(accessesOf("s_buffer_load_dword %0, %1, 0x0"), "load 1 4: a scalar load is made once for the whole wave");
}

TEST(AsmAccess, EachLineOfAmdAssemblyIsOne) {
  EXPECT_EQ(accessesOf("ds_read_b32 %0, %1 ; the first\n\ts_waitcnt lgkmcnt(0) // then\n  flat_load_ubyte_e32 %0, %[from]"),
            "load 1 shared 4; load 7 1");
}

TEST(AsmAccess, PredicatesOfPtxThatAreKnown) {
  const std::string unknown = ": a predicate in the assembly decides whether it is made";
  EXPECT_EQ(accessesOf("{ .reg .pred p; setp.ne.b32 p, %1, 0; @p ld.global.u32 %0, [%2]; @!p st.shared.u32 [%3], %0; }"),
            "load 2 4 if 1; store 3 shared 4 unless 1");
  EXPECT_EQ(accessesOf("setp.ne.b32 p, %1, 1; @p ld.global.u32 %0, [%2];"), "load 2 4" + unknown);
  EXPECT_EQ(accessesOf("setp.eq.b32 p, %1, 0; @p ld.global.u32 %0, [%2];"), "load 2 4" + unknown);
  EXPECT_EQ(accessesOf("setp.ne.and.b32 p, %1, 0, q; @p ld.global.u32 %0, [%2];"), "load 2 4" + unknown);
  EXPECT_EQ(accessesOf("setp.ne.b32 p|q, %1, 0; @p ld.global.u32 %0, [%2];"), "load 2 4" + unknown);
  EXPECT_EQ(accessesOf("@q setp.ne.b32 p, %1, 0; @p ld.global.u32 %0, [%2];"), "load 2 4" + unknown);
  EXPECT_EQ(accessesOf("setp.ne.b32 p, %1, 0; and.pred p, p, q; @p ld.global.u32 %0, [%2];"), "load 2 4" + unknown) << "made anew";
}

TEST(AsmAccess, SizesOfPtxCopies) {
  EXPECT_EQ(accessesOf("cp.async.cg.shared.global [%0], [%1], 16;"), "store 0 shared 16; load 1 16");
  EXPECT_EQ(accessesOf("cp.async.ca.shared.global [%0], [%1], %2, %3;"), "store 0 shared %2; load 1 %2");
  EXPECT_EQ(accessesOf("cp.async.bulk.prefetch.L2.global [%0], %1;"), "") << "moves nothing to where the program reads";
  EXPECT_EQ(accessesOf("ld.global.v2.f16x2 {%0, %1}, [%[from]+16];"), "load 7 8");
  EXPECT_EQ(accessesOf("ld.global.u32 %0, [%[other]];"), "") << "no operand of that name";
  EXPECT_EQ(accessesOf("ld.global.u32 %0, [table];"), "") << "a name of the assembly's own";
}

} // namespace
} // namespace kperf
