// Addresses in inline PTX are operands, and the instruction says how much it moves and where.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
__global__ void kernel(float4 *a, unsigned shared, unsigned long long bar) {
  float x, y, z, w;
  int i = threadIdx.x;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(shared + 16 * i), "l"(a + i));
  asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(&a[i]));
  asm volatile("{\n\tst.shared.b64 [%0+8], %1;\n\t}" :: "r"(shared), "l"(bar));
  asm volatile("red.global.add.f32 [%0], %1;" :: "l"(a), "f"(x));
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p ld.global.u32 %0, [%2]; }" : "=r"(i) : "r"(i), "l"(a));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "r"(shared));
  asm volatile("bar.sync 0;");
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %0, 0; @p cp.async.cg.shared.global [%1], [%2], %3; @!p st.shared.b32 [%4], %0; @!p st.shared.b32 [%1], %0; }" :: "r"(int(i > 3)), "r"(shared), "l"(a + 1), "n"(4 * 4), "r"(shared + 4));
  asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %0, 0; setp.ne.b32 q, %0, 0; setp.eq.u32 q, %0, 1; @p red.global.add.u32 [%1], 1; @q red.global.add.u32 [%1], 1; }" :: "r"(i), "l"(a + 2));
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %0, 0; @p st.global.b32 [%1], 1; }" :: "r"(i++), "l"(a + 3));
  asm volatile("{ .reg .pred p, q; setp.ne.b32 p, %0, 0; and.pred p, p, q; @p st.global.b32 [%1], 1; }" :: "r"(i), "l"(a + 4));
  a[i].x = x;
}
template <int Bytes> __global__ void sized(const float *a, unsigned shared) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" :: "r"(shared), "l"(a), "n"(Bytes), "r"(Bytes));
}
template __global__ void sized<8>(const float *, unsigned);
//--- check.txt
CHECK:      16;" :: "r"(::kperf::asmSharedAddress<16>(0x{{[0-9a-f]+}}u, shared + 16 * i)), "l"(::kperf::asmAddress<16>(0x{{[0-9a-f]+}}u, a + i)));
CHECK-NEXT: "=f"(w) : "l"(::kperf::asmAddress<16>(0x{{[0-9a-f]+}}u, &a[i])));
CHECK-NEXT: "r"(::kperf::asmSharedAddress<8>(0x{{[0-9a-f]+}}u, shared)), "l"(bar));
CHECK-NEXT: "l"(::kperf::asmAtomicAddress<4>(0x{{[0-9a-f]+}}u, a)), "f"(x));
CHECK-NEXT: "r"(i), "l"(::kperf::asmAddressIf<4>(0x{{[0-9a-f]+}}u, a, (i) != 0)));
CHECK-NEXT: "r"(::kperf::asmSharedAddress<16>(0x{{[0-9a-f]+}}u, shared)));
CHECK-NEXT: bar.sync
CHECK-NEXT: "r"(int(i > 3)), "r"(::kperf::asmSharedAddressIf<16>(0x{{[0-9a-f]+}}u, shared, (int(i > 3)) != 0)), "l"(::kperf::asmAddressIf<16>(0x{{[0-9a-f]+}}u, a + 1, (int(i > 3)) != 0)), "n"(4 * 4), "r"(::kperf::asmSharedAddressIf<4>(0x{{[0-9a-f]+}}u, shared + 4, (int(i > 3)) == 0)));
CHECK-NEXT: "r"(i), "l"(a + 2));
CHECK-NEXT: "r"(i++), "l"(a + 3));
CHECK-NEXT: "r"(i), "l"(a + 4));
CHECK:      "r"(::kperf::asmSharedAddress<static_cast<unsigned>(Bytes)>(0x{{[0-9a-f]+}}u, shared)), "l"(::kperf::asmAddress<static_cast<unsigned>(Bytes)>(0x{{[0-9a-f]+}}u, a)), "n"(Bytes), "r"(Bytes));
CHECK:      1u, 0x000000u, 16u, "kernel", {{.*}}"shared + 16 * i", "",
CHECK:      0u, 0x000000u, 16u, "kernel", {{.*}}"a + i", "",
CHECK:      0u, 0x000000u, 16u, "kernel", {{.*}}"&a[i]", "",
CHECK:      1u, 0x000000u, 8u, "kernel", {{.*}}"shared", "",
CHECK:      3u, 0x000000u, 4u, "kernel", {{.*}}"a", "",
CHECK:      0u, 0x000000u, 4u, "kernel", {{.*}}"a", "",
CHECK:      0u, 0x000000u, 16u, "kernel", {{.*}}"shared", "",
CHECK:      4u, 0x000000u, 4u, "kernel", {{.*}}"shared", "another access by the same operand has a probe, and one of them is not always made",
CHECK:      4u, 0x000000u, 4u, "kernel", {{.*}}"a + 2", "a predicate in the assembly decides whether it is made",
CHECK:      4u, 0x000000u, 4u, "kernel", {{.*}}"a + 3", "a probe would evaluate its condition a second time",
CHECK:      1u, 0x000000u, 0u, "sized", {{.*}}"shared", "",
CHECK:      0u, 0x000000u, 0u, "sized", {{.*}}"a", "",
