// Interlace: a network's links as files that other programs read
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "interlace/network/network.h"

namespace interlace {

/// csv: header from,to[,latency], a row for each directed link, by sender and receiver, as graph:FILE.csv is
/// read. dot: Graphviz; nodes of a lattice have pos (points, pinned: x and y of the first two dimensions,
/// planes of further ones side by side) and coordinates. graphml: nodes with a coordinate a dimension (x, y,
/// z, w, 4,
/// ...). In dot and graphml switches are marked as such, and edges, by sender and port, have port and name,
/// and their latency if they have one of their own. anynet: as BookSim2 reads it; a node on each router, or
/// machines as nodes and switches as routers. It knows no links of one direction: it throws InputError where
/// there are some, and where a machine has several links.
enum class GraphForm : std::uint8_t { csv, dot, graphml, anynet };

/// The form that `text` names (csv, dot, graphml, anynet). Throws InputError.
GraphForm parse_graph_form(const std::string& text);

/// The form that the end of the file's name says (.csv, .dot, .graphml, .anynet); csv for "-". Throws
/// InputError.
GraphForm graph_form_of(const std::string& file);

void write_graph(std::ostream& out, const Network& network, GraphForm form);

/// [port]: what each output of a node is called: on a lattice by what it does to coordinates, +x, -x, +y,
/// ..., +8x for a bypass link, elsewhere by its number, port 0, port 1, ...
std::vector<std::string> port_names(const Network& network, NodeId node);

}  // namespace interlace
