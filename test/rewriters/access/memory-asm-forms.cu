// The other forms of PTX's accesses: vectors, packed types, matrices, other blocks' shared memory, tensors, named operands and
// whatever stands between words. What has no probe is listed with its reason; memory that is not counted anywhere is not.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
__global__ void kernel(int *a, unsigned shared, unsigned long long map) {
  int x = 0, y = 0;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "r"(shared + 1));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %1, %2};" :: "r"(shared + 2), "r"(x), "r"(y));
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" :: "r"(shared + 3), "r"(x));
  asm volatile("ld.global.v2.u32\t{%0, %1}, [%2 + 8];" : "=r"(x), "=r"(y) : "l"(a + 4));
  asm volatile("st.shared::cta.v4.b32 [%0], {%1, %2, %1, %2};" :: "r"(shared + 5), "r"(x), "r"(y));
  asm volatile("st.volatile.global.u32\n[%0], %1;" :: "l"(a + 6), "r"(x));
  asm volatile("ldu.global.s8 %0, [%[from]];" : "=r"(x) : [from] "l"(a + 7));
  asm volatile("red.global.add.noftz.bf16x2 [%0], %1;" :: "l"(a + 8), "r"(x));
  asm volatile("atom.global.cas.b64 %0, [%1], %2, %2;" : "=l"(map) : "l"(a + 9), "l"(map));
  asm volatile("st.shared::cluster.b32 [%0], %1;" :: "r"(shared + 10), "r"(x));
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" :: "r"(shared + 11), "r"(x), "r"(shared));
  asm volatile("@%1\tst.global.u32 [%0], 1;" :: "l"(a + 12), "r"(x));
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %2}], [%3];" :: "r"(shared + 13), "l"(map), "r"(x), "r"(shared));
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %2}], [%1];" :: "l"(map), "r"(shared + 14), "r"(x));
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" :: "l"(a + 15), "r"(shared + 15), "r"(64));
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" :: "l"(a + 16), "r"(64));
  asm volatile("ld.local.u32 %0, [%1]; ld.param.u32 %0, [%2]; ld.const.u32 %0, [%1];" : "=r"(x) : "r"(shared + 17), "l"(a + 17));
}
//--- check.txt
CHECK:      "ldmatrix{{.*}} : "r"(shared + 1));
CHECK-NEXT: "stmatrix{{.*}} "r"(::kperf::asmSharedAddress<16>(0x{{[0-9a-f]+}}u, shared + 2)), "r"(x), "r"(y));
CHECK-NEXT: "stmatrix{{.*}} "r"(shared + 3), "r"(x));
CHECK-NEXT: "l"(::kperf::asmAddress<8>(0x{{[0-9a-f]+}}u, a + 4)));
CHECK-NEXT: "r"(::kperf::asmSharedAddress<16>(0x{{[0-9a-f]+}}u, shared + 5)), "r"(x), "r"(y));
CHECK-NEXT: "l"(::kperf::asmAddress<4>(0x{{[0-9a-f]+}}u, a + 6)), "r"(x));
CHECK-NEXT: [from] "l"(::kperf::asmAddress<1>(0x{{[0-9a-f]+}}u, a + 7)));
CHECK-NEXT: "l"(::kperf::asmAtomicAddress<4>(0x{{[0-9a-f]+}}u, a + 8)), "r"(x));
CHECK-NEXT: "l"(::kperf::asmAtomicAddress<8>(0x{{[0-9a-f]+}}u, a + 9)), "l"(map));
CHECK-NEXT: "r"(shared + 10), "r"(x));
CHECK-NEXT: "r"(shared + 11), "r"(x), "r"(shared));
CHECK-NEXT: "l"(a + 12), "r"(x));
CHECK-NEXT: "r"(shared + 13), "l"(map), "r"(x), "r"(shared));
CHECK-NEXT: "l"(map), "r"(shared + 14), "r"(x));
CHECK-NEXT: "l"(::kperf::bulkAddress(0x{{[0-9a-f]+}}u, a + 15, static_cast<unsigned>(64))), "r"(shared + 15), "r"(64));
CHECK-NEXT: "l"(a + 16), "r"(64));
CHECK-NEXT: "r"(shared + 17), "l"(a + 17));

Loads are 0, stores 1, atomics 3, what is listed alone 4; then the width.
CHECK:      4u, 0x000000u, 0u, "kernel", {{.*}}"shared + 1", "only some lanes' addresses count",
CHECK-NEXT: 1u, 0x000000u, 16u, "kernel", {{.*}}"shared + 2", "",
CHECK-NEXT: 4u, 0x000000u, 0u, "kernel", {{.*}}"shared + 3", "only some lanes' addresses count",
CHECK-NEXT: 0u, 0x000000u, 8u, "kernel", {{.*}}"a + 4", "",
CHECK-NEXT: 1u, 0x000000u, 16u, "kernel", {{.*}}"shared + 5", "",
CHECK-NEXT: 1u, 0x000000u, 4u, "kernel", {{.*}}"a + 6", "",
CHECK-NEXT: 0u, 0x000000u, 1u, "kernel", {{.*}}"a + 7", "",
CHECK-NEXT: 3u, 0x000000u, 4u, "kernel", {{.*}}"a + 8", "",
CHECK-NEXT: 3u, 0x000000u, 8u, "kernel", {{.*}}"a + 9", "",
CHECK-NEXT: 4u, 0x000000u, 4u, "kernel", {{.*}}"shared + 10", "another block's shared memory has no banks here",
CHECK-NEXT: 4u, 0x000000u, 4u, "kernel", {{.*}}"shared + 11", "another block's shared memory has no banks here",
CHECK-NEXT: 4u, 0x000000u, 4u, "kernel", {{.*}}"a + 12", "a predicate in the assembly decides whether it is made",
CHECK-NEXT: 4u, 0x000000u, 0u, "kernel", {{.*}}"shared + 13", "a tensor map says what is copied",
CHECK-NEXT: 4u, 0x000000u, 0u, "kernel", {{.*}}"shared + 14", "a tensor map says what is copied",
CHECK-NEXT: 3u, 0x000000u, 0u, "kernel", {{.*}}"a + 15", "",
CHECK-NEXT: 4u, 0x000000u, 0u, "kernel", {{.*}}"shared + 15",
CHECK-NOT:  "kernel", {{.*}}"a + 1{{[67]}}"
CHECK-NOT:  "kernel", {{.*}}"shared + 17"
