// A stream between two processes, on one machine or on two.
#ifndef KPERF_POSIX_SOCKET_H
#define KPERF_POSIX_SOCKET_H

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace kperf::posix {

using Deadline = std::chrono::steady_clock::time_point;

/// Owns the descriptor. What fails does so with the number of the system's error, ETIMEDOUT behind the deadline.
class Socket {
public:
  Socket() = default;
  Socket(Socket &&other) noexcept;
  Socket &operator=(Socket &&other) noexcept;
  ~Socket();

  /// Waits for connections on all addresses of this machine, at a port that the system chooses.
  static std::expected<Socket, int> listen();
  /// `address`: as numericAddresses() has them.
  static std::expected<Socket, int> connect(const std::string &address, std::uint16_t port, Deadline deadline);

  std::expected<std::uint16_t, int> port() const;
  std::expected<Socket, int> accept(Deadline deadline) const;
  /// All of the bytes; ECONNRESET where the other side left.
  std::expected<void, int> send(const void *data, std::size_t bytes, Deadline deadline) const;
  std::expected<void, int> receive(void *data, std::size_t bytes, Deadline deadline) const;

private:
  explicit Socket(int descriptor) : descriptor(descriptor) {}
  std::expected<void, int> waitFor(short event, Deadline deadline) const;
  /// Calls `step`, send() or recv(), until none of the bytes is left.
  template <typename Byte, typename Step>
  std::expected<void, int> moveAll(Byte *next, std::size_t bytes, short event, Deadline deadline, Step step) const;

  int descriptor = -1;
};

/// Those of this machine's interfaces that are up, of IPv4 and IPv6; that of the loopback comes last.
std::vector<std::string> numericAddresses();

} // namespace kperf::posix

#endif
