// Shortens kernels' names for people: no return type, parameters or namespaces, and as much of template arguments as fits.
#ifndef KPERF_DECODER_SHORT_NAME_H
#define KPERF_DECODER_SHORT_NAME_H

#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

/// "device_kernel<FlashAttnFwdSm90<128×176×128, …>>" of "void cutlass::device_kernel<flash::FlashAttnFwdSm90<flash::Mainloop<2, …": as many
/// template arguments as fit into 64 columns, the longest of what does. A tuple of CuTe's constants is a shape; of arguments that do not
/// fit the largest shape is said. "k [int N = 4]" of "void k(T*) [with int N = 4]"; a single type with arguments of its own stands as one
/// of k's. A lambda is said by its number and function, or by the place that Clang says: "k<lambda #2 of main>", "k<lambda at m.cu:8:12>".
/// Where arguments are left out, those that hold lambdas are not: "k [T = float; …; F = lambda of main]".
std::string shortKernelName(std::string_view name);

/// "flash::turn<float,8>" of "void flash::turn<float, 8>(float*)" and of "void flash::turn(T*) [with T = float; int N = 8]": as a source
/// would call it, but for blanks behind commas.
std::string spelledKernelName(std::string_view name);

/// Of several kernels, in their order. Those whose short names would be the same have behind them the first word in which they differ,
/// "k<…> [… float …]"; where that does not tell them apart, the words in which those that share it differ, too, "k<…> [… fill … main …]",
/// and where no words do, or whole names are short, these.
std::vector<std::string> shortKernelNames(const std::vector<std::string> &names);

} // namespace kperf::decoder

#endif
