// Finds which process this is of which job, and writes what it found.
#include "tool/clocks/CompareClocks.h"

#include "posix/AtomicFile.h"
#include "tool/clocks/HostExchange.h"
#include "tool/process/Message.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace kperf::tool {
namespace {

/// What the first of these variables says that is set to a number: those of Slurm, Open MPI, and MPICH and its kin.
std::optional<std::uint64_t> numberOf(std::initializer_list<const char *> variables) {
  for (const char *variable : variables) {
    const char *text = std::getenv(variable);
    std::uint64_t value = 0;
    if (text && std::from_chars(text, text + std::strlen(text), value).ec == std::errc())
      return value;
  }
  return std::nullopt;
}

/// A line behind those that the host's file has.
decoder::Status append(const std::string &file, const std::string &line) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const bool isWritten = descriptor >= 0 && posix::writeAll(descriptor, line.data(), line.size()) == line.size();
  const int error = errno;
  if (descriptor >= 0)
    close(descriptor);
  if (!isWritten)
    return decoder::failure({.message = "it cannot be written", .found = std::strerror(error), .file = file});
  return {};
}

double errorUs(const decoder::ClockExchange &clocks) { return static_cast<double>(clocks.toNs - clocks.fromNs) / 2000; }

decoder::Status lead(const ClockComparison &options, unsigned others, posix::Deadline deadline) {
  const auto hosts = leadClocks(options.folder, others, deadline);
  if (!hosts)
    return decoder::failure(hosts.error());
  for (const ExchangedHost &host : *hosts)
    say(fmt::format("the clock of {} is known to within {:.3g} us", host.name, errorUs(host.clocks)));
  return {};
}

decoder::Status follow(const ClockComparison &options, std::uint64_t rank, posix::Deadline deadline) {
  const auto found = followClocks(options.folder, deadline);
  if (!found)
    return decoder::failure(found.error());
  const auto file = std::filesystem::path(options.folder) / fmt::format("rank-{}.clocks", rank);
  return append(file.string(), found->clocks.text());
}

} // namespace

decoder::Status compareClocks(const ClockComparison &options) {
  const auto rank = options.rank ? options.rank : numberOf({"SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK"});
  const auto hosts = options.hosts ? options.hosts : numberOf({"SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE"});
  if (!rank || !hosts)
    return decoder::failure({.message = "it is not known how many processes exchange clocks, and which of them this is",
                             .expected = "to be started by srun or mpirun, or --rank=N and --hosts=N",
                             .remedy = "start one on each host: srun --ntasks-per-node=1 kperf timeline --compare-clocks=FOLDER"});
  if (*hosts == 0 || *rank >= *hosts || *hosts > 1'000'000)
    return decoder::failure(
        {.message = fmt::format("there is no rank {} among {} processes", *rank, *hosts), .expected = "a rank below --hosts, from 0 on"});
  if (!std::filesystem::is_directory(options.folder))
    return decoder::failure({.message = "there is no such folder", .expected = "a folder that all hosts see", .file = options.folder});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(options.timeoutSeconds);
  return *rank == 0 ? lead(options, static_cast<unsigned>(*hosts - 1), deadline) : follow(options, *rank, deadline);
}

} // namespace kperf::tool
