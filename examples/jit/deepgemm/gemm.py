"""BF16 matrix products by DeepGEMM, which generates a source for each shape and has nvcc compile it: where its warps wait."""
import hashlib

import deep_gemm
import torch

SIZE, LAUNCHES = 4096, 20

torch.manual_seed(1)
a, b = (torch.randn(SIZE, SIZE, device="cuda", dtype=torch.bfloat16) for _ in range(2))
product = torch.empty(SIZE, SIZE, device="cuda", dtype=torch.bfloat16)
for _ in range(4):
    deep_gemm.bf16_gemm_nt(a, b, product)
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
begin.record()
for _ in range(LAUNCHES):
    deep_gemm.bf16_gemm_nt(a, b, product)
end.record()
torch.cuda.synchronize()
expected = a.float() @ b.float().T
error = ((product.float() - expected).abs().max() / expected.abs().max()).item()
checksum = hashlib.sha256(product.view(torch.int16).cpu().numpy().tobytes()).hexdigest()[:16]
print(f"result {'right' if error < 1e-2 else 'wrong'}, checksum {checksum}, {begin.elapsed_time(end) / LAUNCHES * 1000:.1f} us a product")
