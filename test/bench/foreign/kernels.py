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

    @property
    def project(self):
        return self.name.split("/")[0]

    @property
    def stem(self):
        return self.name.replace("/", "-")


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

KERNELS = [
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
