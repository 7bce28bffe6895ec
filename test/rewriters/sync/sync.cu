// --probes=sync: a wait becomes a region that says what it waited for, and what others wait for an instant; annotations are
// left alone. The object is what the construct names: a number, the address of a barrier, nothing where there is one only.
// RUN: split-file %s %t && kperf-rewrite --probes=sync %t/in.cu -o - | FileCheck %t/in.cu
// RUN: kperf-rewrite --probes=sync --list-regions %t/in.cu 2>/dev/null | FileCheck %t/list.txt
// RUN: kperf-rewrite --probes=region,sync %t/both.cu -o - | FileCheck %t/both.cu
// Every name of the table that CuTe, <cuda/ptx> and CUDA's own headers declare is recognised as what the table says.
// RUN: %python %t/names.py %kperf_src/rewriters/construct/SyncConstructs.def > %t/names.cu
// RUN: kperf-rewrite --probes=sync %t/names.cu -o - | %python %t/kinds.py %kperf_src/rewriters/construct/SyncConstructs.def

//--- in.cu
#include <cooperative_groups.h>
#include <kperf/annotate.h>
namespace cg = cooperative_groups;
struct Barrier { unsigned long long word; __device__ void arrive(); __device__ void wait(int); };
struct Pipe { __device__ void consumer_wait(); };
__device__ bool ready(unsigned long long *bar, int parity) {
  unsigned done, address = __cvta_generic_to_shared(bar);
  // CHECK: {{^}}  asm volatile
  asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(address), "r"(parity));
  return done;
}
__device__ void release(unsigned long long &bar) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%[b]];" ::[b] "r"((unsigned)__cvta_generic_to_shared(&bar)));
}
template <int N> __device__ void waitGroups() { asm volatile("cp.async.wait_group %0;" ::"n"(N)); }
// The user's own function of that name, not the one of cooperative groups.
__device__ void wait(int id, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads)); }
__device__ int next(int);
__device__ void helper() {
  // CHECK: {{^}}  { const ::kperf::Wait kperf_wait_{{[0-9_]+}}(0u, 0x{{[0-9a-f]+}}u); __syncthreads(); }
  __syncthreads();
  // CHECK: {{^}}  { ::kperf::signal(0u, 0x{{[0-9a-f]+}}u); asm volatile("cp.async.commit_group;"); }
  asm volatile("cp.async.commit_group;");
}
// CHECK: {{^}}__global__ void k(float *p, int n) { ::kperf::Kernel<::kperf::MaxConvergent<{{[0-9~]+}}u>, ::kperf::MaxDivergent<{{[0-9~]+}}u>, ::kperf::MaxShared<{{[0-9~]+}}u>, ::kperf::StagingRoom<12u>, ::kperf::IsCalled, ::kperf::HasObjects, ::kperf::Settles> kperf_kernel(
__global__ void k(float *p, int n) {
  __shared__ unsigned long long full[4];
  __shared__ Barrier barrier;
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  Pipe pipe;
  // CHECK: {{^}}  KPERF_SCOPE("left alone");
  KPERF_SCOPE("left alone");
  for (int s = 0; s < n; ++s) {
    // CHECK: {{^}}    { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, ::kperf::barrierAt(&full[s % 4]), 0x{{.*}}u); while (!ready(&full[s % 4], s / 4 & 1)) {} }
    while (!ready(&full[s % 4], s / 4 & 1)) {}
    // CHECK: {{^}}    if (threadIdx.x == 0) { kperf_kernel.firstSignal(::kperf::barrierAt(&(full[s % 4])), 0x{{.*}}u); release(full[s % 4]); }
    if (threadIdx.x == 0) release(full[s % 4]);
    // CHECK: {{^}}    { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, 2u, 0x{{.*}}u); waitGroups<2>(); }
    waitGroups<2>();
    // CHECK: {{^}}    { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, static_cast<unsigned>(1 + n / 64), 0x{{.*}}u); wait(1 + n / 64, 64); }
    wait(1 + n / 64, 64);
    // What a call gives is not asked for twice.
    // CHECK: {{^}}    { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, 0u, 0x{{.*}}u); wait(next(s), 64); }
    wait(next(s), 64);
  }
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::barrierAt(&(barrier)), 0x{{.*}}u); barrier.arrive(); }
  barrier.arrive();
  // CHECK: {{^}}  { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, ::kperf::barrierAt(&(barrier)), 0x{{.*}}u); barrier.wait(0); }
  barrier.wait(0);
  // The address of an automatic variable would move it out of registers.
  // CHECK: {{^}}  { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, 0u, 0x{{.*}}u); pipe.consumer_wait(); }
  pipe.consumer_wait();
  // CHECK: {{^}}  { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, 0u, 0x{{.*}}u); block.sync(); }
  block.sync();
  // CHECK: {{^}}  { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, 0u, 0x{{.*}}u); cg::sync(tile); }
  cg::sync(tile);
  // CHECK: {{^}}  { kperf_kernel.signal(3u, 0x{{.*}}u); asm volatile("bar.arrive 3, 64;"); }
  asm volatile("bar.arrive 3, 64;");
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::barrierAt(n), 0x{{.*}}u); asm volatile("cp.async.bulk.tensor
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(0), "l"(p), "r"(0), "r"(n));
  // CHECK: {{^}}  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(0), "l"(p));
  // CHECK: {{^}}  if (__extension__ ({ const ::kperf::ConvergentWait {{.*}}(kperf_kernel, 0u, 0x{{.*}}u); __syncthreads_or(n); }))
  if (__syncthreads_or(n))
    helper();
}

//--- list.txt
CHECK: wait "__syncthreads" in helper
CHECK: signal "cp.async.commit_group" in helper
CHECK: wait "ready(&full[s % 4])" in k
CHECK: signal "release(full[s % 4])" in k
CHECK: wait "waitGroups(2)" in k
CHECK: wait "wait(1 + n / 64)" in k
CHECK: wait "wait" in k
CHECK: wait "__syncthreads_or" in k

//--- both.cu
#include <kperf/annotate.h>
__global__ void k() {
  // CHECK: {{^}}  { const ::kperf::ConvergentScope {{.*}}(kperf_kernel, 0x{{.*}}u); { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, 0u, 0x{{.*}}u); __syncthreads(); kperf_kernel.settle(); } }
  #pragma kperf region("barrier")
  __syncthreads();
}

//--- names.py
import re
import sys

INSTRUCTION = {"Operand": " %0, 64;", "Address": ".b64 [%0];", "LastAddress": ".mbarrier::bytes [%1], [%0];", "Nothing": ";"}
print("typedef unsigned long long Bar;")
rows = re.findall(r'^KPERF_SYNC_(\w+)\("(.*?)", (\w+), (\w+), (\w+)\)', open(sys.argv[1]).read(), re.M)
for type in "thread_block", "Barrier":
    print(f"struct {type} {{")
    for form, name, _, _, operand in rows:
        if form == "MEMBER" and (operand == "Group") == (type == "thread_block"):
            print(f"  __device__ void {name}(int);")
    print("};")
for form, name, operation, object, operand in rows:
    if form == "FUNCTION" and not name.startswith("__sync"):
        parameters = {"Template": "", "Group": "thread_block", "Reference": "Bar &", "Nothing": "", "Argument": "int"}.get(operand, "Bar *")
        if operation == "Expect":  # takes a number of arrivals; what is called init is one of a barrier by its type
            parameters = ("Barrier *" if name == "init" else parameters) + ", int"
        print(f"{'template <int N> ' if operand == 'Template' else ''}__device__ void {name}({parameters});")
# Behind each something else: of signals that follow each other one record may stand for several (sync-run.cu).
print("__global__ void k(int n, thread_block group) {\n  __shared__ Bar bar[2]; __shared__ Barrier object;")
for form, name, operation, object, operand in rows:
    if form == "INSTRUCTION":
        text = INSTRUCTION[operand].replace(";", ", 3;" if operation == "Expect" else ";")
        print(f'  asm volatile("{name}{text}" :: "r"(n), "r"(0)); ++n;')
    elif form == "MEMBER":
        print(f"  {'group' if operand == 'Group' else 'object'}.{name}(n); ++n;")
    elif name.startswith("__syncthreads_"):
        print(f"  {name}(n);")
    else:
        arguments = {"Template": "", "Group": "group", "Reference": "bar[1]", "Nothing": "", "Argument": "n"}.get(operand, "&bar[1]")
        if operation == "Expect":
            arguments = ("&object" if name == "init" else arguments) + ", n"
        print(f"  {name}{'<3>' if operand == 'Template' else ''}({arguments}); ++n;")
print("}")
//--- kinds.py
import re
import sys

OPERATIONS = ["None", "Barrier", "Await", "Arrive", "Issue", "Commit", "ArriveIssue", "CommitAwait", "Expect"]
OBJECTS = ["Unknown", "Lanes", "BlockBarrier", "ClusterBarrier", "GridBarrier", "SharedBarrier", "CopyGroup", "BulkGroup", "MatrixGroup", "Pipeline", "RemoteBarrier", "PipelineStage"]
expected = []
isRecorded = set()  # kinds of groups into which was issued since the last one was closed: the first has a record where a commit is behind it
rows = re.findall(r'^KPERF_SYNC_(\w+)\("(.*?)", (\w+), (\w+), (\w+)\)', open(sys.argv[1]).read(), re.M)
for place, (form, name, operation, kind, operand) in enumerate(rows):
    if operation == "Issue" and kind.endswith("Group"):
        behind = [other[2] for other in rows[place + 1:] if other[3] == kind and other[2] != "Issue"]
        if kind == "MatrixGroup" or kind in isRecorded or behind[:1] != ["Commit"]:
            continue  # followed from their commit on
        isRecorded.add(kind)
    elif kind.endswith("Group"):
        isRecorded.discard(kind)
    if operand == "Group":
        kind = "BlockBarrier"  # the group is a block
    expected.append((name, operation, kind))
text = sys.stdin.read()
found = [(name.split("(")[0], OPERATIONS[int(sync) & 255], OBJECTS[int(sync) >> 8])
         for name, sync in re.findall(r'[78]u, "(.*?)", "k", .* (\d+)u}', text)]
for each in sorted(set(expected) ^ set(found)):
    print("differs:", each, "expected" if each in expected else "found")
sys.exit(expected != found)
