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
  a[i].x = x;
}
//--- check.txt
CHECK:      16;" :: "r"(::kperf::asmSharedAddress<16>(0x{{[0-9a-f]+}}u, shared + 16 * i)), "l"(::kperf::asmAddress<16>(0x{{[0-9a-f]+}}u, a + i)));
CHECK-NEXT: "=f"(w) : "l"(::kperf::asmAddress<16>(0x{{[0-9a-f]+}}u, &a[i])));
CHECK-NEXT: "r"(::kperf::asmSharedAddress<8>(0x{{[0-9a-f]+}}u, shared)), "l"(bar));
CHECK-NEXT: "l"(::kperf::asmAddress<4>(0x{{[0-9a-f]+}}u, a)), "f"(x));
CHECK-NEXT: "r"(i), "l"(a));
CHECK-NEXT: "r"(::kperf::asmSharedAddress<16>(0x{{[0-9a-f]+}}u, shared)));
CHECK:      1u, 0x000000u, 16u, "kernel", {{.*}}"shared + 16 * i", "",
CHECK:      0u, 0x000000u, 16u, "kernel", {{.*}}"a + i", "",
CHECK:      0u, 0x000000u, 16u, "kernel", {{.*}}"&a[i]", "",
CHECK:      1u, 0x000000u, 8u, "kernel", {{.*}}"shared", "",
CHECK:      3u, 0x000000u, 4u, "kernel", {{.*}}"a", "",
CHECK:      4u, 0x000000u, 4u, "kernel", {{.*}}"a", "a predicate in the assembly decides whether it is made",
CHECK:      0u, 0x000000u, 16u, "kernel", {{.*}}"shared", "",
