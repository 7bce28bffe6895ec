// Shortens kernels' names for people: no return type, parameters, namespaces, or deeply nested template arguments.
#ifndef KPERF_DECODER_SHORT_NAME_H
#define KPERF_DECODER_SHORT_NAME_H

#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

/// "device_kernel<FlashAttnFwdSm90<Mainloop<2, …>, …>>" of "void cutlass::device_kernel<flash::FlashAttnFwdSm90<flash::Mainloop<2, …":
/// without the type that it returns, its parameters, namespaces, and arguments of templates beyond the second level. "k [T = int]" of "void
/// k(T*) [with T = int]".
std::string shortKernelName(std::string_view name);

/// Of several kernels, in their order; those whose short names would be the same keep their whole names.
std::vector<std::string> shortKernelNames(const std::vector<std::string> &names);

} // namespace kperf::decoder

#endif
