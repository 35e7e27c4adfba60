// Interlace: channels in shared memory (docs/hil-protocol.md, section 7)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>

#include "transports.h"

namespace interlace {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t ring_bytes = std::size_t{1} << 22U;
constexpr std::uint8_t layout = 2;  // the byte that comes with the descriptors

/// A moment, in which the other thread of a core has all of it.
void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// Bytes from one process to another: one writes, one reads.
struct Ring {
    alignas(64) std::atomic<std::uint64_t> written;
    alignas(64) std::atomic<std::uint64_t> read;
    alignas(64) std::atomic<std::uint32_t> reader_sleeps;
    std::atomic<std::uint32_t> writer_sleeps;
    alignas(4096) std::array<std::uint8_t, ring_bytes> data;

    /// As many of `bytes` as there is room for.
    std::size_t put(std::span<const std::uint8_t> bytes) {
        const std::uint64_t at = written.load(std::memory_order_relaxed);
        const std::uint64_t there = at - read.load();
        if (there > ring_bytes) throw ChannelClosed("its shared memory is damaged");
        const std::size_t count = std::min<std::size_t>(bytes.size(), ring_bytes - there);
        const std::size_t straight = std::min(count, ring_bytes - at % ring_bytes);
        std::memcpy(&data[at % ring_bytes], bytes.data(), straight);
        std::memcpy(data.data(), bytes.data() + straight, count - straight);
        written.store(at + count);
        return count;
    }
    Bytes take() {
        const std::uint64_t at = read.load(std::memory_order_relaxed);
        const std::uint64_t there = written.load() - at;
        if (there > ring_bytes) throw ChannelClosed("its shared memory is damaged");
        if (there == 0) return {};
        Bytes bytes(there);
        const std::size_t straight = std::min<std::size_t>(there, ring_bytes - at % ring_bytes);
        std::memcpy(bytes.data(), &data[at % ring_bytes], straight);
        std::memcpy(bytes.data() + straight, data.data(), there - straight);
        read.store(at + there);
        return bytes;
    }
    bool full() const { return written.load() - read.load() >= ring_bytes; }
    bool empty() const { return written.load() == read.load(); }
};
static_assert(sizeof(Ring) == 4096 + ring_bytes && std::atomic<std::uint64_t>::is_always_lock_free);

using Rings = std::array<Ring, 2>;  // host to device, device to host

/// The memory and the event counters (host's, device's) that come with it.
using Parts = std::array<Descriptor, 3>;

class SharedChannel final : public Channel {
  public:
    SharedChannel(Descriptor socket, Parts parts, bool host)
        : socket_(std::move(socket)),
          own_event_(std::move(parts[host ? 1 : 2])),
          other_event_(std::move(parts[host ? 2 : 1])) {
        void* memory =
            ::mmap(nullptr, sizeof(Rings), PROT_READ | PROT_WRITE, MAP_SHARED, parts[0].number(), 0);
        if (memory == MAP_FAILED) throw FellShort("shared memory: " + system_reason());
        rings_ = static_cast<Rings*>(memory);
        out_ = &(*rings_)[host ? 0 : 1];
        in_ = &(*rings_)[host ? 1 : 0];
    }
    ~SharedChannel() override { ::munmap(rings_, sizeof(Rings)); }

    void send(std::span<const std::uint8_t> bytes) override {
        while (!bytes.empty()) {
            bytes = bytes.subspan(out_->put(bytes));
            if (out_->reader_sleeps.exchange(0) != 0) wake();
            if (bytes.empty() || wait(
                                     out_->writer_sleeps, [&] { return !out_->full(); }, max_silence))
                continue;
            throw ChannelClosed(closed() ? "the other side closed the connection"
                                         : "the other side accepts no more bytes");
        }
    }

    Bytes receive(milliseconds patience) override {
        wait(
            in_->reader_sleeps, [&] { return !in_->empty(); }, patience);
        Bytes bytes = in_->take();
        if (bytes.empty() && closed() && in_->empty())
            throw ChannelClosed("the other side closed the connection");
        if (in_->writer_sleeps.load() != 0 && in_->writer_sleeps.exchange(0) != 0) wake();
        return bytes;
    }

  private:
    /// Until `there`: first awake, as the other side mostly takes less time than waking up does.
    template <class Test>
    bool wait(std::atomic<std::uint32_t>& sleeps, const Test& there, milliseconds patience) {
        constexpr std::chrono::microseconds alone(20), awake(500);
        const auto begin = std::chrono::steady_clock::now();
        for (auto now = begin; now < begin + awake; now = std::chrono::steady_clock::now()) {
            for (int i = 0; i < 50; ++i) {
                if (there()) return true;
                pause();
            }
            if (now > begin + alone) std::this_thread::yield();
        }
        sleeps.store(1);
        while (!there() && std::chrono::steady_clock::now() < begin + patience && !sleep_a_while()) {
        }
        sleeps.store(0);
        return there();
    }
    /// Until somebody wakes this side up, or a tenth of a second. True: the other side is gone.
    bool sleep_a_while() const {
        constexpr int a_while = 100;  // milliseconds
        std::array<pollfd, 2> waiting = {{{.fd = own_event_.number(), .events = POLLIN, .revents = 0},
                                          {.fd = socket_.number(), .events = POLLIN, .revents = 0}}};
        ::poll(waiting.data(), waiting.size(), a_while);
        std::uint64_t count = 0;
        if ((waiting[0].revents & POLLIN) != 0 && ::read(own_event_.number(), &count, sizeof(count)) < 0 &&
            errno != EAGAIN)
            throw ChannelClosed(system_reason());
        return waiting[1].revents != 0;
    }
    void wake() const {
        const std::uint64_t one = 1;
        if (::write(other_event_.number(), &one, sizeof(one)) < 0 && errno != EAGAIN)
            throw ChannelClosed(system_reason());
    }
    bool closed() const {
        char byte = 0;
        const ssize_t came = ::recv(socket_.number(), &byte, 1, MSG_DONTWAIT | MSG_PEEK);
        return came == 0 || (came < 0 && errno != EAGAIN && errno != EINTR);
    }

    Descriptor socket_, own_event_, other_event_;
    Rings* rings_ = nullptr;
    Ring *out_ = nullptr, *in_ = nullptr;
};

struct stat status_of(const Descriptor& file) {
    struct stat status {};
    if (::fstat(file.number(), &status) != 0) throw FellShort("shared memory: " + system_reason());
    return status;
}

/// Throws NoDevice unless all of both rings is there and stays: who reads behind the end of a file is killed.
void check_memory(const Descriptor& memory) {
    const int seals = ::fcntl(memory.number(), F_GET_SEALS);  // below 0: a file that has none
    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0)
        throw NoDevice("the device's shared memory can shrink; expected a memfd with F_SEAL_SHRINK");
    const off_t bytes = status_of(memory).st_size;
    if (bytes < off_t{sizeof(Rings)})
        throw NoDevice(fmt::format("the device's shared memory has {} bytes; expected {} or more", bytes,
                                   sizeof(Rings)));
}

/// Throws NoDevice for a pipe or a socket, where writing may block or raise SIGPIPE. An eventfd has no file
/// type.
void check_event_counter(const Descriptor& event) {
    if ((status_of(event).st_mode & S_IFMT) != 0)
        throw NoDevice("the device's event counter is another kind of file; expected an eventfd");
    ::fcntl(event.number(), F_SETFL, ::fcntl(event.number(), F_GETFL) | O_NONBLOCK);
}

/// Room for a message that carries descriptors.
struct Message {
    std::uint8_t byte = layout;
    iovec piece{.iov_base = &byte, .iov_len = 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(3 * sizeof(int))> control{};
    msghdr header{};
    Message() {
        header.msg_iov = &piece;
        header.msg_iovlen = 1;
        header.msg_control = control.data();
        header.msg_controllen = control.size();
    }
};

}  // namespace

std::unique_ptr<Channel> shared_channel_of_device(Descriptor socket) {
    Parts parts = {Descriptor(::memfd_create("interlace", MFD_CLOEXEC | MFD_ALLOW_SEALING)),
                   Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
                   Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))};
    if (::ftruncate(parts[0].number(), sizeof(Rings)) != 0)
        throw FellShort("shared memory: " + system_reason());
    // Memory that shrinks would end whoever looks at it.
    if (::fcntl(parts[0].number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
        throw FellShort("shared memory: " + system_reason());
    Message message;
    cmsghdr* rights = CMSG_FIRSTHDR(&message.header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(3 * sizeof(int));
    const std::array<int, 3> numbers = {parts[0].number(), parts[1].number(), parts[2].number()};
    std::memcpy(CMSG_DATA(rights), numbers.data(), sizeof(numbers));
    // Somebody who is gone at once is found out later.
    if (::sendmsg(socket.number(), &message.header, MSG_NOSIGNAL) < 0 && errno != EPIPE &&
        errno != ECONNRESET)
        throw FellShort("shared memory: " + system_reason());
    return std::make_unique<SharedChannel>(std::move(socket), std::move(parts), false);
}

std::unique_ptr<Channel> shared_channel_of_host(Descriptor socket, milliseconds patience) {
    pollfd waiting{.fd = socket.number(), .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, static_cast<int>(milliseconds(max_silence).count() + patience.count())) == 0)
        throw NoDevice("the device has no time for this host (it serves one after another)");
    Message message;
    const ssize_t came = ::recvmsg(socket.number(), &message.header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    const cmsghdr* rights = came == 1 ? CMSG_FIRSTHDR(&message.header) : nullptr;
    if (rights == nullptr || rights->cmsg_type != SCM_RIGHTS ||
        rights->cmsg_len != CMSG_LEN(3 * sizeof(int)) || message.byte != layout)
        throw NoDevice("who listens there offers no shared memory, or another protocol's");
    std::array<int, 3> numbers{};
    std::memcpy(numbers.data(), CMSG_DATA(rights), sizeof(numbers));
    Parts parts{Descriptor(numbers[0]), Descriptor(numbers[1]), Descriptor(numbers[2])};
    check_memory(parts[0]);
    check_event_counter(parts[1]);
    check_event_counter(parts[2]);
    return std::make_unique<SharedChannel>(std::move(socket), std::move(parts), true);
}

}  // namespace interlace
