#!/usr/bin/env python3
"""Writes one small source for each algorithm of the toolkit's own cub/device, cub/block and thrust: FOLDER/NAME.cu.

With --together, the same in three sources, each algorithm in a namespace: the headers, which take the most time, are read
once. With --include, fails when a header there is neither an algorithm that has a source nor known to be none.
"""
import argparse
import pathlib

# name: what follows cub::Device… and the arguments behind the temporary storage
DEVICE = {
    "adjacent_difference": "AdjacentDifference::SubtractLeftCopy(0, bytes, in, out, n)",
    "copy": "Copy::Batched(0, bytes, ins, outs, sizes, n)",
    "for": "For::ForEachN(in, n, Touch())",
    "histogram": "Histogram::HistogramEven(0, bytes, in, out, 8, 0, 7, n)",
    "memcpy": "Memcpy::Batched(0, bytes, ins, outs, sizes, n)",
    "merge": "Merge::MergeKeys(0, bytes, in, n, in, n, out)",
    "merge_sort": "MergeSort::SortKeys(0, bytes, in, n, Less())",
    "partition": "Partition::If(0, bytes, in, out, count, n, Odd())",
    "radix_sort": "RadixSort::SortPairs(0, bytes, in, out, in, out, n)",
    "reduce": "Reduce::Sum(0, bytes, in, out, n)",
    "run_length_encode": "RunLengthEncode::Encode(0, bytes, in, out, out, count, n)",
    "scan": "Scan::ExclusiveSum(0, bytes, in, out, n)",
    "segmented_radix_sort": "SegmentedRadixSort::SortKeys(0, bytes, in, out, n, 1, offsets, offsets + 1)",
    "segmented_reduce": "SegmentedReduce::Sum(0, bytes, in, out, 1, offsets, offsets + 1)",
    "segmented_sort": "SegmentedSort::SortKeys(0, bytes, in, out, n, 1, offsets, offsets + 1)",
    "select": "Select::If(0, bytes, in, out, count, n, Odd())",
    "transform": "Transform::Transform(in, out, n, Twice())",
}

# header: the type's template arguments and what is done with an object of it
BLOCK = {
    "adjacent_difference": ("BlockAdjacentDifference<int, 128>", "int o[4]; Block(temp).SubtractLeft(v, o, Minus()); use(o);"),
    "discontinuity": ("BlockDiscontinuity<int, 128>", "int o[4]; Block(temp).FlagHeads(o, v, Differ()); use(o);"),
    "exchange": ("BlockExchange<int, 128, 4>", "Block(temp).StripedToBlocked(v, v);"),
    "histogram": ("BlockHistogram<unsigned char, 128, 4, 256>",
                  "__shared__ int h[256]; unsigned char b[4] = {1, 2, 3, 4}; Block(temp).Histogram(b, h); v[0] = h[threadIdx.x];"),
    "load": ("BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE>", "Block(temp).Load(data, v);"),
    "merge_sort": ("BlockMergeSort<int, 128, 4>", "Block(temp).Sort(v, Less());"),
    "radix_rank": ("BlockRadixRank<128, 4, false>",
                   "int r[4]; unsigned u[4] = {1, 2, 3, 4}; "
                   "Block(temp).RankKeys(u, r, cub::BFEDigitExtractor<unsigned>(0, 4)); use(r);"),
    "radix_sort": ("BlockRadixSort<int, 128, 4>", "Block(temp).Sort(v);"),
    "reduce": ("BlockReduce<int, 128>", "v[0] = Block(temp).Sum(v);"),
    "run_length_decode": ("BlockRunLengthDecode<int, 128, 4, 4>",
                          "int l[4] = {1, 1, 1, 1}, total = 0, o[4]; Block block(temp, v, l, total); block.RunLengthDecode(o, 0); use(o);"),
    "scan": ("BlockScan<int, 128>", "Block(temp).InclusiveSum(v, v);"),
    "shuffle": ("BlockShuffle<int, 128>", "Block(temp).Up(v, v);"),
    "store": ("BlockStore<int, 128, 4, cub::BLOCK_STORE_WARP_TRANSPOSE>", "Block(temp).Store(data, v);"),
}

# header under thrust/: a statement
THRUST = {
    "adjacent_difference": "thrust::adjacent_difference(b, e, o)",
    "binary_search": "thrust::lower_bound(b, e, b, e, o)",
    "copy": "thrust::copy_if(b, e, o, Odd())",
    "count": "thrust::count_if(b, e, Odd())",
    "equal": "thrust::equal(b, e, o)",
    "extrema": "thrust::minmax_element(b, e)",
    "fill": "thrust::fill(b, e, 1)",
    "find": "thrust::find_if(b, e, Odd())",
    "for_each": "thrust::for_each(b, e, Touch())",
    "gather": "thrust::gather(b, e, o, o)",
    "generate": "thrust::generate(b, e, One())",
    "inner_product": "thrust::inner_product(b, e, o, 0)",
    "logical": "thrust::all_of(b, e, Odd())",
    "merge": "thrust::merge(b, e, b, e, o)",
    "mismatch": "thrust::mismatch(b, e, o)",
    "partition": "thrust::stable_partition(b, e, Odd())",
    "reduce": "thrust::reduce_by_key(b, e, b, o, o)",
    "remove": "thrust::remove_if(b, e, Odd())",
    "replace": "thrust::replace_if(b, e, Odd(), 1)",
    "reverse": "thrust::reverse(b, e)",
    "scan": "thrust::inclusive_scan_by_key(b, e, b, o)",
    "scatter": "thrust::scatter(b, e, b, o)",
    "sequence": "thrust::sequence(b, e)",
    "set_operations": "thrust::set_union(b, e, b, e, o)",
    "shuffle": "thrust::shuffle(b, e, thrust::default_random_engine())",
    "sort": "thrust::sort(b, e, Less())",
    "swap": "thrust::swap_ranges(b, e, o)",
    "tabulate": "thrust::tabulate(b, e, Twice())",
    "transform": "thrust::transform(b, e, o, Twice())",
    "transform_reduce": "thrust::transform_reduce(b, e, Twice(), 0, Plus())",
    "transform_scan": "thrust::transform_inclusive_scan(b, e, o, Twice(), Plus())",
    "uninitialized_copy": "thrust::uninitialized_copy(b, e, o)",
    "uninitialized_fill": "thrust::uninitialized_fill(b, e, 1)",
    "unique": "thrust::unique(b, e)",
}

# headers beside those of the algorithms that hold none
NO_ALGORITHM = {
    "block": "block_raking_layout radix_rank_sort_operations",
    "thrust": "addressof advance allocate_unique complex device_allocator device_delete device_free device_make_unique "
              "device_malloc device_malloc_allocator device_new device_new_allocator device_ptr device_reference "
              "device_vector distance execution_policy functional host_vector memory pair per_device_resource random "
              "system_error tuple universal_allocator universal_ptr universal_vector version zip_function",
}

OPERATORS = """struct Twice { __host__ __device__ int operator()(int x) const { return 2 * x; } };
struct Touch { __host__ __device__ void operator()(int &x) const { for (int i = 0; i < x; ++i) x ^= i; } };
struct Odd { __host__ __device__ bool operator()(int x) const { return x & 1; } };
struct One { __host__ __device__ int operator()() const { return 1; } };
struct Less { __host__ __device__ bool operator()(int l, int r) const { return l < r; } };
struct Plus { __host__ __device__ int operator()(int l, int r) const { return l + r; } };
struct Minus { __host__ __device__ int operator()(int l, int r) const { return l - r; } };
struct Differ { __host__ __device__ bool operator()(int l, int r) const { return l != r; } };
"""


def device(name, call):
    """The headers, and what is done with them; so do the others."""
    return [f"cub/device/device_{name}.cuh"], f"""
void run(int *in, int *out, int *count, int *offsets, int **ins, int **outs, int *sizes, int n) {{
  std::size_t bytes = 0;
  cub::Device{call};
  (void)bytes, (void)count, (void)offsets, (void)ins, (void)outs, (void)sizes;
}}
"""


def block(name, kind, body):
    more = ["cub/block/radix_rank_sort_operations.cuh"] if name == "radix_rank" else []
    return [f"cub/block/block_{name}.cuh", *more], f"""
__global__ void run(int *data, int n) {{
  using Block = cub::{kind};
  __shared__ typename Block::TempStorage temp;
  int v[4];
  auto use = [&](int (&values)[4]) {{ for (int i = 0; i < 4; ++i) v[i] += values[i]; }};
  (void)use;
  for (int i = 0; i < 4; ++i) v[i] = data[threadIdx.x * 4 + i];
  for (int round = 0; round < n; ++round) {{
    {body}
    __syncthreads();
  }}
  for (int i = 0; i < 4; ++i) data[threadIdx.x * 4 + i] = v[i];
}}
"""


def thrust(name, call):
    more = ["thrust/random.h"] if name == "shuffle" else []
    return [f"thrust/{name}.h", "thrust/execution_policy.h", "thrust/device_ptr.h", *more], f"""
void run(int *data, int *other, int n) {{
  thrust::device_ptr<int> b(data), e(data + n), o(other);
  {call};
}}
"""


def source(headers, text):
    return "".join(f"#include <{header}>\n" for header in dict.fromkeys(headers)) + text


def in_namespace(name, text):
    return f"namespace {name} {{\n{text}}}\n"


def without_source(include):
    """The headers of the CCCL below the folder that nothing here uses."""
    headers = {f"device/device_{name}" for name in DEVICE} | {f"block/block_{name}" for name in BLOCK}
    headers |= {f"thrust/{name}" for name in THRUST}
    headers |= {f"{folder}/{name}" for folder, names in NO_ALGORITHM.items() for name in names.split()}
    found = [*include.glob("cub/device/*.cuh"), *include.glob("cub/block/*.cuh"), *include.glob("thrust/*.h")]
    if len(found) < len(DEVICE) + len(BLOCK) + len(THRUST):
        raise SystemExit(f"error: only {len(found)} headers in {include}; expected the folder that holds cub and thrust")
    return sorted(str(path) for path in found if f"{path.parent.name}/{path.stem}" not in headers)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--together", action="store_true", help="three sources: device.cu, block.cu, thrust.cu")
    parser.add_argument("--include", type=pathlib.Path, help="the folder that holds cub and thrust")
    options = parser.parse_args()
    if options.include and (missing := without_source(options.include)):
        raise SystemExit("error: no source for " + ", ".join(missing))
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    drivers = {"device": {name: device(name, call) for name, call in DEVICE.items()},
               "block": {name: block(name, *rest) for name, rest in BLOCK.items()},
               "thrust": {name: thrust(name, call) for name, call in THRUST.items()}}
    if options.together:
        texts = {kind: source([header for headers, _ in each.values() for header in headers],
                              "".join(in_namespace(f"{kind}_{name}", OPERATORS + text) for name, (_, text) in each.items()))
                 for kind, each in drivers.items()}
    else:
        texts = {f"{kind}_{name}": source(headers, OPERATORS + text)
                 for kind, each in drivers.items() for name, (headers, text) in each.items()}
    for name, text in texts.items():
        (folder / f"{name}.cu").write_text(text)
    count = sum(map(len, drivers.values()))
    print(f"{len(texts)} sources with {count} algorithms are in {folder}")


main()
