// Interlace: channels that are serial lines
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "interlace/core/text.h"
#include "transports.h"

namespace interlace {
namespace {

using std::chrono::milliseconds;

struct Baud {
    std::uint32_t rate;
    speed_t code;
};
constexpr std::array<Baud, 12> bauds = {{{9600, B9600},
                                         {19200, B19200},
                                         {38400, B38400},
                                         {57600, B57600},
                                         {115200, B115200},
                                         {230400, B230400},
                                         {460800, B460800},
                                         {921600, B921600},
                                         {1000000, B1000000},
                                         {2000000, B2000000},
                                         {3000000, B3000000},
                                         {4000000, B4000000}}};

class SerialChannel final : public Channel {
  public:
    explicit SerialChannel(Descriptor line) : line_(std::move(line)) {}

    bool lossless() const override { return false; }
    void send(std::span<const std::uint8_t> bytes) override {
        while (!bytes.empty()) {
            const ssize_t sent = ::write(line_.number(), bytes.data(), bytes.size());
            if (sent >= 0)
                bytes = bytes.subspan(static_cast<std::size_t>(sent));
            else if (errno == EAGAIN && (wait(POLLOUT, max_silence) & POLLOUT) == 0)
                throw ChannelClosed("the line accepts no more bytes");
            else if (errno != EINTR && errno != EAGAIN)
                throw ChannelClosed(system_reason());
        }
    }

    Bytes receive(milliseconds patience) override {
        const short came_in = wait(POLLIN, patience);
        Bytes bytes(4096);
        const ssize_t came = ::read(line_.number(), bytes.data(), bytes.size());
        // A pseudo-terminal that nobody has opened at the other end gives EIO.
        if (came < 0 && errno != EAGAIN && errno != EINTR) throw ChannelClosed(system_reason());
        if (came == 0 && came_in != 0) throw ChannelClosed("the line was hung up");
        bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(came, 0)));
        return bytes;
    }

  private:
    /// What has happened.
    short wait(short events, milliseconds patience) const {
        pollfd waiting{.fd = line_.number(), .events = events, .revents = 0};
        ::poll(&waiting, 1, static_cast<int>(patience.count()));
        return waiting.revents;
    }
    Descriptor line_;
};

speed_t code_of(const std::string& text, const std::string& rate) {
    const auto baud = std::find_if(bauds.begin(), bauds.end(),
                                   [&](const Baud& b) { return rate == std::to_string(b.rate); });
    if (baud != bauds.end()) return baud->code;
    throw InputError("cannot use address '" + text + "'",
                     "serial:PATH,BAUD with a rate from 9600 to 4000000, as 115200");
}

}  // namespace

std::unique_ptr<Channel> serial_channel(const std::string& text, const std::string& place) {
    const std::size_t comma = place.rfind(',');
    const std::string path = place.substr(0, comma);
    const speed_t speed = code_of(text, comma == std::string::npos ? "115200" : place.substr(comma + 1));
    Descriptor line(::open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    termios settings{};
    if (line.number() < 0 || ::tcgetattr(line.number(), &settings) != 0)
        throw InputError("cannot use address '" + text + "' (" + system_reason() + ")",
                         "a serial line, as in serial:/dev/ttyUSB0");
    ::cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;
    settings.c_cflag &= ~static_cast<tcflag_t>(CSTOPB | CRTSCTS);
    ::cfsetispeed(&settings, speed);
    ::cfsetospeed(&settings, speed);
    if (::tcsetattr(line.number(), TCSANOW, &settings) != 0)
        throw InputError("cannot use address '" + text + "' (" + system_reason() + ")",
                         "a line of that rate");
    ::tcflush(line.number(), TCIOFLUSH);  // what was for somebody before
    return std::make_unique<SerialChannel>(std::move(line));
}

}  // namespace interlace
