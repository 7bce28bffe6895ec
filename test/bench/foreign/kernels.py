"""The kernels that foreign.py measures: where each is, where its regions are, and what builds and drives it."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Project:
    url: str
    commit: str


@dataclasses.dataclass(frozen=True)
class Place:
    """Regions in one definition: annotate.annotated says how `function` and `regions` are read."""
    file: str
    function: str
    regions: tuple

    def names(self):
        return [region[0] for region in self.regions if region[0]]


@dataclasses.dataclass(frozen=True)
class Kernel:
    name: str  # project/kernel
    driver: str  # in drivers/: it includes the source, or, where that is a .cu file, becomes the end of a copy of it
    places: tuple
    copy: tuple = ()  # globs in the project: what has to lie beside the annotated files
    include: tuple = ()  # folders of the project on the include path
    others: tuple = ()  # folders of other projects on the include path
    flags: tuple = ()
    libraries: tuple = ()
    standard: str = "c++17"
    arguments: tuple = ()
    program: str = ""  # the name of the kernel whose programs these are, with other arguments

    @property
    def project(self):
        return self.name.split("/")[0]

    @property
    def stem(self):
        return (self.program or self.name).replace("/", "-")

    @property
    def unit(self):
        """The project's own source file that is compiled, or nothing where what is annotated are headers."""
        return self.places[-1].file if self.places[-1].file.endswith(".cu") else ""


PROJECTS = {
    "BabelStream": Project("https://github.com/UoB-HPC/BabelStream", "57637d572532fc028b6c0964944f1afc27ff5436"),
    "FlashMLA": Project("https://github.com/deepseek-ai/FlashMLA", "9241ae3ef9bac614dd25e45e507e089f888280e0"),
    "HeCBench": Project("https://github.com/zjin-lcf/HeCBench", "f27000a5188f8ac79bd43fc95a1b3f890c18823d"),
    "ThunderKittens": Project("https://github.com/HazyResearch/ThunderKittens", "0b55588d2769dde0c7a9a606ffc015b0ca7a9551"),
    "cuda-samples": Project("https://github.com/NVIDIA/cuda-samples", "c94ff366aed18c797b8a85dfaac7817b0228b420"),
    "cutlass": Project("https://github.com/NVIDIA/cutlass", "7107b05535f8977f5ecb9d01ee203205b1fd9bc4"),
    "flash-attention": Project("https://github.com/Dao-AILab/flash-attention", "0251105a2fb19d2957484b7f023cd8c115286ced"),
    "flashinfer": Project("https://github.com/flashinfer-ai/flashinfer", "fb28d7242b3506a2348265962041acc1fb56cca4"),
    "ggml": Project("https://github.com/ggml-org/ggml", "d99724f2b141fed9e1a9f402213506c081433465"),
    "llm.c": Project("https://github.com/karpathy/llm.c", "f1e2ace651495b74ae22d45d1723443fd00ecd3a"),
}

CUTLASS = ("cutlass/include", "cutlass/tools/util/include")
HOPPER = ("--expt-relaxed-constexpr", "--expt-extended-lambda", "-DCUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED", "-DCUTLASS_ENABLE_GDC_FOR_SM90")
FLASH3_FORWARD = (
    Place("hopper/mainloop_fwd_sm90_tma_gmma_ws.hpp", r"auto load_K = \[&\]", (("produce K", "pipeline_k.producer_acquire", "if constexpr (!PagedKVNonTMA)"),)),
    Place("hopper/mainloop_fwd_sm90_tma_gmma_ws.hpp", r"auto load_V = \[&\]", (("produce V", "producer_acquire", "if constexpr (!PagedKVNonTMA)"),)),
    Place("hopper/mainloop_fwd_sm90_tma_gmma_ws.hpp", r"auto fwd_step = \[&\]\(int const n_block, auto mask_fn, auto check_inf_type\)",
          (("wait for K", "consumer_wait(pipeline_k"), ("turn", "warp_scheduler_barrier_sync"),
           ("issue QK, PV", "flash::gemm", "warp_scheduler_barrier_arrive"),
           ("wait for QK", "warpgroup_wait<1>"), ("softmax", "scoremod_premask_fn", "online_softmax"), ("wait for PV", "warpgroup_wait<0>"),
           ("convert, rescale", "convert_type_out", "arrive_on_P_write_barrier"))),
)
GGML = {"copy": ("src/ggml-cuda/*.cuh", "src/ggml-cuda/vendors/*"), "include": ("src", "src/ggml-cuda", "include"), "flags": ("-use_fast_math", "--extended-lambda")}
KITTENS = {"copy": ("prototype/**/*",), "include": ("include", "prototype"), "libraries": ("-lcuda",), "standard": "c++20",
           "flags": ("-DKITTENS_HOPPER", "-use_fast_math", "--expt-relaxed-constexpr", "--expt-extended-lambda", "-Xcompiler=-fno-strict-aliasing")}
FLASHINFER = {"copy": ("include/flashinfer/*.cuh", "include/flashinfer/*.h", "include/flashinfer/attention/*.cuh"), "include": ("include",),
              "flags": ("-use_fast_math", "--expt-relaxed-constexpr", "--expt-extended-lambda")}
CUTLASS_48 = (
    Place("include/cutlass/gemm/collective/sm90_mma_tma_gmma_ss_warpspecialized.hpp", r"^  mma\(MainloopPipeline",
          ((None, "for ( ; k_tile_count > 0"), ("wait", "consumer_try_wait", "consumer_wait"),
           ("issue", "warpgroup_arrive", "warpgroup_commit_batch"),
           ("wait for mma", "warpgroup_wait<K_PIPE_MMAS>"), ("release", "consumer_release"))),
)

KERNELS = [
    Kernel("flash-attention/3-forward", "flash3_forward.cu", FLASH3_FORWARD, copy=("hopper/*.h*",), include=("hopper",), others=CUTLASS,
           flags=(*HOPPER, "-use_fast_math"), libraries=("-lcuda",), arguments=("0",)),
    Kernel("flash-attention/3-causal", "flash3_forward.cu", FLASH3_FORWARD, copy=("hopper/*.h*",), include=("hopper",), others=CUTLASS,
           flags=(*HOPPER, "-use_fast_math"), libraries=("-lcuda",), arguments=("1",), program="flash-attention/3-forward"),
    Kernel("flash-attention/3-backward", "flash3_backward.cu",
           (Place("hopper/mainloop_bwd_sm90_tma_gmma_ws.hpp", r"auto bwd_step = \[&\]",
                  (("wait for Q", "consumer_wait(pipeline_q"), ("wait for dO", "consumer_wait(pipeline_do"), ("wait for S", "warpgroup_wait<1>"),
                   ("softmax", "for (int mi = 0; mi < size<0>(scores)"), ("wait for dP", "warpgroup_wait<0>"),
                   ("dS", "for (int mi = 0; mi < size<0>(dS)"),
                   ("write dS", "Tensor tdSadS", "cute::copy(smem_tiled_copy_PdS, tdSadS"), ("store dQ", "if constexpr (dQacc_use_TMA)"),
                   ("wait for the rest", "warpgroup_wait<0>"))),),
           copy=("hopper/*.h*",), include=("hopper",), others=CUTLASS, flags=(*HOPPER, "-use_fast_math"), libraries=("-lcuda",)),
    Kernel("flash-attention/2-forward", "flash2_forward.cu",
           (Place("csrc/flash_attn/src/flash_fwd_kernel.h", r"void compute_attn_1rowblock\(",
                  ((None, "for (; n_block >= n_block_min"), ("wait for K", "cp_async_wait<0>", "__syncthreads"), ("QK", "FLASH_NAMESPACE::gemm<"),
                   ("wait for V", "cp_async_wait<0>", "__syncthreads"), ("load K", "if (n_block > n_block_min)"), ("softmax", "softmax_rescale_o"),
                   ("PV", "FLASH_NAMESPACE::gemm_rs"), ("store", "FLASH_NAMESPACE::copy<Is_even_MN, Is_even_K, /*Clear_OOB_MN"))),),
           copy=("csrc/flash_attn/src/*.h",), include=("csrc/flash_attn/src",), others=CUTLASS,
           flags=("--expt-relaxed-constexpr", "--expt-extended-lambda", "-use_fast_math", "-DFLASHATTENTION_DISABLE_DROPOUT")),
    Kernel("cutlass/48", "cutlass_48.cu", CUTLASS_48, include=("include", "tools/util/include"), flags=HOPPER, libraries=("-lcuda",),
           arguments=("4096", "4096", "4096")),
    Kernel("cutlass/48-skinny", "cutlass_48.cu", CUTLASS_48, include=("include", "tools/util/include"), flags=HOPPER, libraries=("-lcuda",),
           arguments=("1536", "1408", "16384"), program="cutlass/48"),
    Kernel("BabelStream/dot", "babelstream_dot.cu",
           (Place("src/cuda/CUDAStream.cu", r"void dot_kernel\(",
                  (("multiply", "for (; i < array_size"), ("reduce", "for (int offset"), ("store", "if (tidx == 0)"))),),
           copy=("src/cuda/*", "src/*.h"), include=("src",), flags=("-DBLOCK_STRIDE", "-DDEFAULT", "--extended-lambda")),
    Kernel("llm.c/layernorm", "llmc_layernorm.cu",
           (Place("dev/cuda/layernorm_forward.cu", r"void layernorm_forward_kernel5\(",
                  (("sums", "for (int i = threadIdx.x; i < C"), ("reduce", "float warp_sum = ", "block_sum2 = "),
                   ("normalise", "for (int i = threadIdx.x; i < C"))),),
           copy=("dev/cuda/*.h",)),
    Kernel("llm.c/softmax", "llmc_softmax.cu",
           (Place("dev/cuda/softmax_forward.cu", r"void softmax_forward_kernel4\(",
                  (("maximum", "for (int i = tid"), ("reduce maximum", "maxval = warpReduceMax", "float offset ="), ("exponents", "for (int i = tid"),
                   ("sum", "for (int i = tid"), ("reduce sum", "sumval = warpReduceSum", "float sum = "), ("divide", "for (int i = tid"))),),
           copy=("dev/cuda/*.h",)),
    Kernel("llm.c/causal-softmax", "llmc_causal_softmax.cu",
           (Place("dev/cuda/attention_forward.cu", r"void softmax_forward_kernel5\(",
                  (("online", "for (int i = warp.thread_rank(); i < pos_by_4"), ("rest", "if(4*pos_by_4"),
                   ("reduce", "float global_maxval", "float norm"),
                   ("scale", "for (int i = warp.thread_rank(); i <= own_pos"))),),
           copy=("dev/cuda/*.h",)),
    Kernel("llm.c/matmul", "llmc_matmul.cu",
           (Place("dev/cuda/matmul_forward.cu", r"matmul_forward_kernel4\(",
                  (("bias", "if(bias != NULL)"), ("load", "for(int y ="), ("barrier", "__syncthreads();"), ("multiply", "for (int si = si_start"),
                   ("store", "for (int i = 0; i < 8"))),),
           copy=("dev/cuda/*.h",)),
    Kernel("HeCBench/nw", "hecbench_nw.cu",
           (Place("src/nw-cuda/nw.cu", r"^kernel1 \(",
                  (("load", "for ( int ty = 0", "SCORE(0, (tx + 1))"), ("upper half", "for( int m = 0"),
                   ("lower half", "for( int m = BLOCK_SIZE - 2"),
                   ("store", "for ( int ty = 0"))),),
           copy=("src/nw-cuda/*.h",)),
    Kernel("HeCBench/stencil1d", "hecbench_stencil1d.cu",
           (Place("src/stencil1d-cuda/stencil_1d.cu", r"^void stencil_1d\(",
                  (("load", "temp[lindex] = in"), ("halo", "if (threadIdx.x < RADIUS)"), ("barrier", "__syncthreads"), ("stencil", "for (int offset"),
                   ("store", "out[gindex]"))),)),
    Kernel("HeCBench/lavaMD", "hecbench_lavamd.cu",
           (Place("src/lavaMD-cuda/kernel.h", r"void md \(",
                  (("load home", "while(wtx<"), ("load neighbour", "while(wtx<"), ("barrier", "__syncthreads"), ("forces", "while(wtx<"),
                   ("last barrier", "__syncthreads"))),),
           copy=("src/lavaMD-cuda/*.h",)),
    Kernel("HeCBench/lud", "hecbench_lud.cu",
           (Place("src/lud-cuda/lud_kernels.cu", r"^lud_perimeter ",
                  (("load", "if (tx < BLOCK_SIZE)"), ("solve", "if (tx < BLOCK_SIZE) { //"), ("store", "if (tx < BLOCK_SIZE) { //"))),),
           flags=("-DBLOCK_SIZE=16",)),
    Kernel("cuda-samples/matrixMul", "samples_matrixmul.cu",
           (Place("Samples/0_Introduction/matrixMul/matrixMul.cu", r"void MatrixMulCUDA\(",
                  (("load", "As[ty][tx] =", "Bs[ty][tx] ="), ("barrier", "__syncthreads"), ("multiply", "for (int k = 0"),
                   ("last barrier", "__syncthreads"),
                   ("store", "C[c + wB"))),),
           include=("Common",)),
    Kernel("cuda-samples/convolution", "samples_convolution.cu",
           (Place("Samples/2_Concepts_and_Techniques/convolutionSeparable/convolutionSeparable.cu", r"void convolutionRowsKernel\(",
                  (("load", "for (int i = ROWS_HALO_STEPS"), ("left halo", "for (int i = 0"),
                   ("right halo", "for (int i = ROWS_HALO_STEPS + ROWS"), ("barrier", "cg::sync"),
                   ("convolve", "for (int i = ROWS_HALO_STEPS"))),),
           copy=("Samples/2_Concepts_and_Techniques/convolutionSeparable/*.h",), include=("Common",)),
    Kernel("cuda-samples/tensor-core", "samples_tensor_core.cu",
           (Place("Samples/3_CUDA_Features/cudaTensorCoreGemm/cudaTensorCoreGemm.cu", r"void compute_gemm\(",
                  (("load C", "for (int i = 0; i < K"), ("fragments of C", "for (int i = 0; i < WARP_COL_TILES"), (None, "shmem_idx +="),
                   ("load A, B", "for (int i = 0"),
                   ("barrier", "__syncthreads"), ("mma", "for (int k_step"), ("last barrier", "            __syncthreads"),
                   ("fragments of D", "for (int i = 0; i < WARP_COL_TILES"),
                   ("store D", "for (int i = 0; i < K"))),),
           include=("Common",)),
    Kernel("cuda-samples/FDTD3d", "samples_fdtd3d.cu",
           (Place("Samples/5_Domain_Specific/FDTD3d/inc/FDTD3dGPUKernel.cuh", r"^FiniteDifferencesKernel\(",
                  ((None, "for (int iz = 0"), ("advance", "for (int i = RADIUS - 1", "infront[RADIUS - 1] = input"), ("barrier", "cg::sync"),
                   ("halo", "if (ltidy < RADIUS)", "tile[ty][tx] = current"),
                   ("last barrier", "cg::sync"), ("stencil", "for (int i = 1"), ("store", "if (validw)"))),),
           copy=("Samples/5_Domain_Specific/FDTD3d/inc/*.h",), include=("Common",)),
    Kernel("cuda-samples/reduction", "samples_reduction.cu",
           (Place("Samples/2_Concepts_and_Techniques/reduction/reduction_kernel.cu", r"void reduce7\(",
                  (("sum", "while (i < n)"), (None, "else"), ("reduce warp", "mySum = warpReduceSum"), ("barrier", "__syncthreads"),
                   ("reduce block", "if (tid < shmem_extent)"),
                   ("store", "if (tid == 0)"))),),
           include=("Common",)),
    Kernel("ggml/rms-norm", "ggml_rms_norm.cu",
           (Place("src/ggml-cuda/norm.cu", r"void rms_norm_f32\(",
                  (("squares", "for (int col = tid"), ("reduce", "tmp = block_reduce"), ("scale", "for (int col = tid"))),), **GGML),
    Kernel("ggml/softmax", "ggml_softmax.cu",
           (Place("src/ggml-cuda/softmax.cu", r"void soft_max_f32\(",
                  (("maximum", "for (int col0 = 0"), ("reduce maximum", "max_val = block_reduce"), ("exponents", "for (int col0 = 0"),
                   ("reduce sum", "tmp = block_reduce"),
                   ("scale", "for (int col0 = 0"))),), **GGML),
    Kernel("ggml/linear-attention", "ggml_gla.cu",
           (Place("src/ggml-cuda/gla.cu", r"void gated_linear_attn_f32\(",
                  (("load state", "for (int i = 0"), ("load", "_k[tid] = ", "_td[tid] = "), ("barrier", "__syncthreads"),
                   ("update", "for (int j = 0"), ("store", "dst[t] ="),
                   ("store state", "for (int i = 0"))),), **GGML),
    Kernel("ggml/attention", "ggml_attention.cu",
           (Place("src/ggml-cuda/fattn-vec.cuh", r"void flash_attn_ext_vec\(",
                  ((None, "for (int k_VKQ_0 ="), ("QK", "for (int i_KQ_0 = 0"), (None, "KQ_reg[j] = sum"), ("softmax", "for (int j = 0"),
                   ("PV", "for (int k0 = 0"),
                   (None, "KQ_sum_shared[ncols]"), ("combine", "for (int j_VKQ = 0"))),), **GGML),
    Kernel("ThunderKittens/attention", "kittens_attention.cu",
           (Place("kernels/attention/mha_h100/mha_h100.cu", r"^void fwd_attend_ker\(",
                  ((None, "for (auto kv_idx = pipe_idx"), ("load K, V", "expect_bytes(k_smem_arrived", "load_async(v_smem"),
                   ("wait for slot", "wait(compute_done"),
                   ("wait for K", "wait(k_smem_arrived"), ("QK", "warpgroup::mm_ABt"), ("wait for QK", "mma_async_wait"),
                   ("softmax", "warp::row_max", "warp::mul_row(o_reg"),
                   ("wait for V", "wait(v_smem_arrived"), ("PV", "warpgroup::mma_AB", "mma_async_wait"),
                   ("store", "warp::div_row", "warpgroup::sync"))),),
           **KITTENS),
    Kernel("ThunderKittens/gemm", "kittens_gemm.cu",
           (Place("prototype/lcf/lcf.cuh", r"^void kernel\(",
                  ((None, "wait(finish_finished"), ("wait for slot", "wait(inputs_finished"), ("load", "lcft::producer::load"),
                   ("wait for input", "wait(inputs_arrived"),
                   ("finish", "lcft::consumer::finish"))),
            Place("kernels/gemm/bf16_h100/bf16_h100_gemm.cu", r"void compute\(consumer_compute_args",
                  (("issue", "warpgroup::mma_AB"), ("wait for mma", "mma_async_wait"), ("release", "arrive(args.inputs_finished)")))),
           **KITTENS | {"copy": (*KITTENS["copy"], "kernels/gemm/*.cuh")}),
    Kernel("FlashMLA/dense-decode", "flashmla_decode.cu",
           (Place("csrc/sm90/decode/dense/splitkv_mla.cuh", r"void wg0_subroutine\(",
                  (("softmax 0", "wg0_bunch_0<T"), ("PV 0", "pv_gemm_localP<T>"), ("wait for PV 0", "cute::warpgroup_wait<0>"),
                   ("wait for 1", "arrive_and_wait(T::NUM_THREADS, NamedBarriers::sScale1Ready"),
                   ("save P 0", "wg0_scale_rP0<T>", "save_rPb_to_sP<T>"), ("wait for QK 0", "cute::warpgroup_wait<0>"))),
            Place("csrc/sm90/decode/dense/splitkv_mla.cuh", r"void wg1_subroutine\(",
                  (("wait for 0", "arrive_and_wait(T::NUM_THREADS, NamedBarriers::sScale0Ready"), ("softmax 1", "wg1_bunch_0<T"),
                   ("wait for P 0", "arrive_and_wait(T::NUM_THREADS, NamedBarriers::sP0Ready")))),
           copy=("csrc/sm90/decode/dense/*.h",), include=("csrc",), others=CUTLASS, flags=(*HOPPER, "-use_fast_math"), libraries=("-lcuda",), standard="c++20"),
    Kernel("flashinfer/decode", "flashinfer_decode.cu",
           (Place("include/flashinfer/attention/decode.cuh", r"void SingleDecodeWithKVCacheKernel\(",
                  ((None, "for (uint32_t iter = 0; iter < ceil_div"), ("wait for K", "cp_async::wait_group", "block.sync"), ("QK", "compute_qk<"),
                   ("load K", "for (uint32_t j = 0", "cp_async::commit_group"), ("wait for V", "cp_async::wait_group", "block.sync"),
                   ("update", "update_local_state<"),
                   ("load V", "for (uint32_t j = 0", "cp_async::commit_group"), ("merge", "sync_state<"))),), **FLASHINFER),
    Kernel("flashinfer/rms-norm", "flashinfer_rms_norm.cu",
           (Place("include/flashinfer/norm.cuh", r"void RMSNormKernel\(",
                  (("squares", "for (uint32_t i = 0; i < rounds"), ("reduce", "smem[ty] = sum_sq", "if (ty == 0)"),
                   ("scale", "for (uint32_t i = 0; i < rounds"))),), **FLASHINFER),
    Kernel("cutlass/multistage", "cutlass_multistage.cu",
           (Place("include/cutlass/gemm/threadblock/mma_multistage.h", r"void mac_loop_iter\(",
                  (("load fragments", "set_kgroup_index", "++this->warp_tile_iterator_B_"), ("mma", "if (Detail::kStagedAccumulation)"),
                   ("copy", "if (warp_mma_k < Base::kWarpGemmIterations - 1)"), ("wait", "gmem_wait()"))),),
           include=("include", "tools/util/include"), flags=("--expt-relaxed-constexpr",)),
]
