// `kperf verify`: whether the instructions of regions stand between their clock reads, in the machine code.
#include "tool/commands/Command.h"
#include "tool/commands/SharedOptions.h"
#include "tool/commands/TableOutput.h"
#include "tool/placement/PlacementTable.h"

#include <memory>

namespace kperf::tool {
namespace {

struct Options {
  std::string program, kernel;
  TableOutput output;
};

decoder::Expected<int> run(const Options &options) {
  auto out = decoder::OutputFile::open(options.output.path, decoder::Replaces::NoTrace, std::span(&options.program, 1));
  if (!out)
    return decoder::failure(out.error());
  if (options.output.isExplaining)
    return options.output.explain("verify", *out);
  if (options.program.empty())
    return decoder::failure({.message = "there is no program to look at",
                             .found = "nothing",
                             .expected = "an executable, a shared library, an object file or a cubin",
                             .remedy = "see kperf verify --help"});
  const auto table = placement::placementTable(options.program, options.kernel);
  if (!table)
    return decoder::failure(table.error());
  if (auto status = options.output.print(std::span(&*table, 1), *out); !status)
    return decoder::failure(status.error());
  return 0;
}

} // namespace

Run verifyCommand(const Arguments &arguments) {
  const auto options = std::make_shared<Options>();
  arguments.add("PROGRAM", options->program, "or library, object file, cubin, built with -lineinfo");
  options->output.declare(arguments);
  addKernel(arguments, options->kernel);
  arguments.footer("For each region of each kernel: how many of the instructions that come from its\n"
                   "lines run between its clock reads, how many outside, and how many of other lines\n"
                   "run inside. Needs nvdisasm and cuobjdump of the CUDA toolkit, and no GPU:\n"
                   "  kperf-cc nvcc -O3 -lineinfo kernel.cu -o program && kperf verify program\n"
                   "kperf report and kperf explain take the program, or what --format=json -o FILE\n"
                   "writes, as --placement.");
  return [options] { return run(*options); };
}

} // namespace kperf::tool
