// Exchanges the clocks of a job's hosts, over connections between one process on each.
#ifndef KPERF_TOOL_HOST_EXCHANGE_H
#define KPERF_TOOL_HOST_EXCHANGE_H

#include "decoder/io/Error.h"
#include "decoder/timeline/HostClocks.h"
#include "posix/Socket.h"

#include <string>
#include <vector>

namespace kperf::tool {

/// What a host found out.
struct ExchangedHost {
  std::string name;
  decoder::ClockExchange clocks;
};

/// The process of rank 0: says in `folder`, which all hosts see, where it waits, and lets each of the `others` have its clock. Gives what
/// they found, in the order in which they came. What it left in the folder is gone behind that.
decoder::Expected<std::vector<ExchangedHost>> leadClocks(const std::string &folder, unsigned others, posix::Deadline deadline);

/// Any other process: waits until rank 0 has said where it is, and exchanges clocks with it. The closest of a thousand readings is what is
/// found.
decoder::Expected<ExchangedHost> followClocks(const std::string &folder, posix::Deadline deadline);

} // namespace kperf::tool

#endif
