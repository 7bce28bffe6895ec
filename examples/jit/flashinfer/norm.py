"""RMS norm by the module that FlashInfer compiles for it."""
import hashlib

import torch
from flashinfer.jit.norm import gen_norm_module

ROWS, WIDTH = 4096, 8192

module = gen_norm_module().build_and_load()
torch.manual_seed(1)
rows = torch.randn(ROWS, WIDTH, device="cuda", dtype=torch.bfloat16)
weight = torch.randn(WIDTH, device="cuda", dtype=torch.bfloat16)
normed = torch.empty_like(rows)
for _ in range(12):
    module.rmsnorm(normed, rows, weight, 1e-6, False)
torch.cuda.synchronize()
expected = torch.nn.functional.rms_norm(rows.float(), (WIDTH,), weight.float(), 1e-6)
checksum = hashlib.sha256(normed.view(torch.int16).cpu().numpy().tobytes()).hexdigest()[:16]
print(f"result {'right' if (normed.float() - expected).abs().max().item() < 0.1 else 'wrong'}, checksum {checksum}")
