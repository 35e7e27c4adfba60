// Interlace: programs of messages as GOAL text
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/goal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/program/protocol.h"

namespace interlace {
namespace {

using Kind = MessageProgram::Kind;

struct Token {
    std::string text;
    std::uint32_t line;
};

/// Words, and ':', '{' and '}' by themselves; comments left out. Throws InputError, with the line of `name`,
/// for one without an end.
std::vector<Token> tokens_of(std::string_view text, const std::string& name) {
    std::vector<Token> tokens;
    std::uint32_t line = 1;
    bool in_word = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const std::string_view pair(text.data() + i, std::min<std::size_t>(2, text.size() - i));
        if (pair == "//" || pair == "/*") {
            const std::size_t end = pair == "//" ? text.find('\n', i) : text.find("*/", i + 2);
            if (pair == "/*" && end == std::string::npos)
                throw InputError("a comment has no end", "*/").at(fmt::format("{}:{}", name, line));
            const std::size_t stop = std::min(end, text.size());
            line += static_cast<std::uint32_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                                          text.begin() + static_cast<std::ptrdiff_t>(stop),
                                                          '\n'));
            i = pair == "//" ? stop - 1 : stop + 1;
            in_word = false;
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            line += c == '\n' ? 1 : 0;
            in_word = false;
        } else if (c == ':' || c == '{' || c == '}') {
            tokens.push_back({std::string(1, c), line});
            in_word = false;
        } else {
            if (!in_word) tokens.push_back({"", line});
            tokens.back().text += c;
            in_word = true;
        }
    }
    tokens.push_back({"", line});  // the end
    return tokens;
}

class Reader {
  public:
    Reader(const std::string& text, std::string name)
        : name_(std::move(name)), tokens_(tokens_of(without_byte_order_mark(text), name_)) {}

    MessageProgram read() {
        expect("num_ranks");
        program_.machines = static_cast<std::uint32_t>(number("a number of ranks", 1, 1'000'000));
        program_.text_name = name_;
        std::vector<bool> seen(program_.machines, false);
        while (!here().text.empty()) {
            expect("rank");
            const Token token = here();
            const auto rank = static_cast<std::uint32_t>(number("a rank", 0, program_.machines - 1));
            if (seen[rank]) fail(token, "rank " + token.text + " is defined twice", "each rank once");
            seen[rank] = true;
            read_rank(NodeId{rank});
        }
        match();
        return std::move(program_);
    }

  private:
    /// A receive whose message is still to be found, or a message whose receive is.
    struct End {
        Token token;
        OperationId operation;
        std::uint64_t bytes;
    };
    using Channel = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;  // from, to, tag

    [[noreturn]] void fail(const Token& token, const std::string& problem,
                           const std::string& expected) const {
        throw InputError(problem, expected).at(fmt::format("{}:{}", name_, token.line));
    }
    const Token& here() const { return tokens_[next_]; }
    Token take() { return here().text.empty() ? here() : tokens_[next_++]; }
    bool take_if(const std::string& word) {
        if (here().text != word) return false;
        ++next_;
        return true;
    }
    void expect(const std::string& word) {
        if (!take_if(word)) fail(here(), "cannot read '" + here().text + "'", "'" + word + "'");
    }
    std::uint64_t number(const std::string& what, std::uint64_t low, std::uint64_t high) {
        return parse(take(), what, low, high);
    }
    std::uint64_t parse(const Token& token, const std::string& what, std::uint64_t low,
                        std::uint64_t high) const {
        try {
            return parse_integer(token.text, what, low, high);
        } catch (const InputError& error) {
            throw error.at(fmt::format("{}:{}", name_, token.line));
        }
    }
    std::uint64_t bytes() {
        Token token = take();
        if (!token.text.ends_with("b")) fail(token, "cannot read '" + token.text + "'", "bytes, as in 1024b");
        token.text.pop_back();
        return parse(token, "bytes", 0, UINT64_MAX / 8);
    }

    void read_rank(NodeId rank) {
        labels_.clear();
        expect("{");
        while (!take_if("}")) {
            const Token token = take();
            if (token.text == "send" || token.text == "recv" || token.text == "calc") {
                read_operation(rank, token);
            } else if (take_if(":")) {
                const Token kind = take();
                const OperationId operation = read_operation(rank, kind);
                if (!labels_.emplace(token.text, operation).second)
                    fail(token, "label '" + token.text + "' is defined twice in a rank", "each label once");
            } else {
                read_requirement(token);
            }
        }
    }

    void read_requirement(const Token& label) {
        const bool known = labels_.contains(label.text);
        const Token word = take();
        if (word.text != "requires" && word.text != "irequires") {
            if (known) fail(word, "cannot read '" + word.text + "'", "requires or irequires");
            fail(label, "cannot read '" + label.text + "'", "send, recv, calc, a label or }");
        }
        const OperationId after = labelled(label);
        const OperationId before = labelled(take());
        (word.text == "requires" ? program_.order : program_.start_order).emplace_back(before, after);
    }
    OperationId labelled(const Token& token) const {
        const auto found = labels_.find(token.text);
        if (found == labels_.end())
            fail(token, "there is no label '" + token.text + "'",
                 "a label of an operation above, in the same rank");
        return found->second;
    }

    OperationId read_operation(NodeId rank, const Token& kind) {
        if (kind.text == "calc") {
            const std::uint64_t ns = number("nanoseconds", 0, 1'000'000'000'000'000U);
            read_options();
            program_.lines.push_back(kind.line);
            return program_.compute(rank, ns * 1000);
        }
        const bool sends = kind.text == "send";
        if (!sends && kind.text != "recv")
            fail(kind, "cannot read '" + kind.text + "'", "send, recv or calc");
        const std::uint64_t size = bytes();
        expect(sends ? "to" : "from");
        const Token peer = here();
        const NodeId other{static_cast<std::uint32_t>(number("a rank", 0, program_.machines - 1))};
        if (other == rank) fail(peer, "a message goes from rank " + peer.text + " to itself", "another rank");
        const std::uint64_t tag = read_options();
        program_.lines.push_back(kind.line);
        if (!sends) {
            program_.operations.push_back({Kind::receive, rank, 0});
            const OperationId operation{static_cast<std::uint32_t>(program_.operations.size() - 1)};
            receives_[{other, rank, tag}].push_back({kind, operation, size});
            return operation;
        }
        const OperationId operation = program_.send({rank, other, size});
        sends_[{rank, other, tag}].push_back({kind, operation, size});
        return operation;
    }

    /// tag, cpu and nic; returns the tag.
    std::uint64_t read_options() {
        std::uint64_t tag = 0;
        for (;;)
            if (take_if("tag"))
                tag = number("a tag", 0, UINT32_MAX);
            else if (take_if("cpu"))
                number("cpu", 0, 0);
            else if (take_if("nic"))
                number("nic", 0, 0);
            else
                return tag;
    }

    void match() {
        std::uint32_t envelopes = 0;
        program_.matching.room.assign(program_.operations.size(), UINT64_MAX);
        for (auto& [channel, sent] : sends_) {
            const std::vector<End>& received = receives_[channel];
            if (sent.size() > received.size())
                fail(sent[received.size()].token, "no recv matches a send",
                     "one recv for each send of a pair of ranks and tag");
            for (std::size_t i = 0; i < sent.size(); ++i) {
                const MessageId message = program_.message_of(sent[i].operation);
                program_.operations[received[i].operation].number = message;
                program_.matching.room[received[i].operation] = received[i].bytes;
                if (sent.size() == 1) continue;
                program_.matching.envelopes.resize(program_.messages.size());
                program_.matching.envelopes[message] = envelopes;
            }
            if (sent.size() > 1) ++envelopes;
            require_room(sent, received);
        }
        for (const auto& [channel, received] : receives_)
            if (received.size() > sends_[channel].size())
                fail(received[sends_[channel].size()].token, "no send matches a recv",
                     "one recv for each send of a pair of ranks and tag");
    }

    /// The messages fit into the receives in some order: the longest into that with the most room, and so on.
    void require_room(std::vector<End> sent, std::vector<End> received) const {
        const auto longer = [](const End& a, const End& b) { return a.bytes > b.bytes; };
        std::stable_sort(sent.begin(), sent.end(), longer);
        std::stable_sort(received.begin(), received.end(), longer);
        for (std::size_t i = 0; i < sent.size(); ++i)
            if (received[i].bytes < sent[i].bytes)
                fail(received[i].token,
                     fmt::format("a recv of {} bytes matches a send of {}", received[i].bytes, sent[i].bytes),
                     "at least that many bytes");
    }

    std::string name_;
    std::vector<Token> tokens_;
    std::size_t next_ = 0;
    MessageProgram program_;
    std::map<std::string, OperationId> labels_;
    std::map<Channel, std::vector<End>> sends_, receives_;
};

std::string operation_text(const MessageProgram& program, OperationId o,
                           const std::vector<std::uint32_t>& tags) {
    const auto& operation = program.operations[o];
    if (operation.kind == Kind::compute)
        return fmt::format("calc {}", (program.computations[operation.number] + 999) / 1000);
    const Message& m = program.messages[operation.number];
    const bool sends = operation.kind == Kind::send;
    const std::uint64_t room = sends ? UINT64_MAX : program.room_of(o);
    const std::uint64_t bytes = room == UINT64_MAX ? m.bytes : room;
    return fmt::format("{} {}b {} {} tag {}", sends ? "send" : "recv", std::max<std::uint64_t>(bytes, 1),
                       sends ? "to" : "from", sends ? +m.to : +m.from, tags[operation.number]);
}

}  // namespace

std::string to_goal(const MessageProgram& original) {
    const MessageProgram program = with_barriers_as_messages(original);
    const std::vector<std::uint32_t> tags = tags_in_pairs(program);
    std::vector<std::string> operations(program.machines), requirements(program.machines);
    std::vector<std::uint32_t> label, count(program.machines);
    for (std::uint32_t o = 0; o < program.operations.size(); ++o) {
        const NodeId machine = program.operations[o].machine;
        label.push_back(++count[machine]);
        operations[machine] +=
            fmt::format("l{}: {}\n", label.back(), operation_text(program, OperationId{o}, tags));
    }
    const auto require = [&](const auto& order, const char* word) {
        for (const auto& [before, after] : order)
            requirements[program.operations[after].machine] +=
                fmt::format("l{} {} l{}\n", label[after], word, label[before]);
    };
    require(program.order, "requires");
    require(program.start_order, "irequires");
    std::string text = fmt::format("num_ranks {}\n", program.machines);
    for (std::uint32_t i = 0; i < program.machines; ++i)
        text += fmt::format("\nrank {} {{\n{}{}}}\n", i, operations[i], requirements[i]);
    return text;
}

MessageProgram read_goal(const std::string& text, const std::string& name) {
    return Reader(text, name).read();
}

}  // namespace interlace
