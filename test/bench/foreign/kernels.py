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
    driver: str  # in drivers/
    places: tuple
    copy: tuple = ()  # globs in the project: what has to lie beside the annotated files
    include: tuple = ()  # folders of the project on the include path
    others: tuple = ()  # folders of other projects on the include path
    flags: tuple = ()
    libraries: tuple = ()
    arguments: tuple = ()
    program: str = ""  # the name of the kernel whose programs these are, with other arguments

    @property
    def project(self):
        return self.name.split("/")[0]

    @property
    def stem(self):
        return (self.program or self.name).replace("/", "-")


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
          (("wait for K", "consumer_wait(pipeline_k"), ("turn", "warp_scheduler_barrier_sync"), ("issue QK, PV", "flash::gemm", "warp_scheduler_barrier_arrive"),
           ("wait for QK", "warpgroup_wait<1>"), ("softmax", "scoremod_premask_fn", "online_softmax"), ("wait for PV", "warpgroup_wait<0>"),
           ("convert, rescale", "convert_type_out", "arrive_on_P_write_barrier"))),
)
CUTLASS_48 = (
    Place("include/cutlass/gemm/collective/sm90_mma_tma_gmma_ss_warpspecialized.hpp", r"^  mma\(MainloopPipeline",
          ((None, "for ( ; k_tile_count > 0"), ("wait", "consumer_try_wait", "consumer_wait"), ("issue", "warpgroup_arrive", "warpgroup_commit_batch"),
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
                   ("softmax", "for (int mi = 0; mi < size<0>(scores)"), ("wait for dP", "warpgroup_wait<0>"), ("dS", "for (int mi = 0; mi < size<0>(dS)"),
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
                  (("sums", "for (int i = threadIdx.x; i < C"), ("reduce", "float warp_sum = ", "block_sum2 = "), ("normalise", "for (int i = threadIdx.x; i < C"))),),
           copy=("dev/cuda/*.h",)),
    Kernel("llm.c/softmax", "llmc_softmax.cu",
           (Place("dev/cuda/softmax_forward.cu", r"void softmax_forward_kernel4\(",
                  (("maximum", "for (int i = tid"), ("reduce maximum", "maxval = warpReduceMax", "float offset ="), ("exponents", "for (int i = tid"),
                   ("sum", "for (int i = tid"), ("reduce sum", "sumval = warpReduceSum", "float sum = "), ("divide", "for (int i = tid"))),),
           copy=("dev/cuda/*.h",)),
    Kernel("llm.c/causal-softmax", "llmc_causal_softmax.cu",
           (Place("dev/cuda/attention_forward.cu", r"void softmax_forward_kernel5\(",
                  (("online", "for (int i = warp.thread_rank(); i < pos_by_4"), ("rest", "if(4*pos_by_4"), ("reduce", "float global_maxval", "float norm"),
                   ("scale", "for (int i = warp.thread_rank(); i <= own_pos"))),),
           copy=("dev/cuda/*.h",)),
    Kernel("llm.c/matmul", "llmc_matmul.cu",
           (Place("dev/cuda/matmul_forward.cu", r"matmul_forward_kernel4\(",
                  (("bias", "if(bias != NULL)"), ("load", "for(int y ="), ("barrier", "__syncthreads();"), ("multiply", "for (int si = si_start"), ("store", "for (int i = 0; i < 8"))),),
           copy=("dev/cuda/*.h",)),
]
