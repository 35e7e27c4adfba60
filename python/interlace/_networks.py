# Interlace: networks and the schedules of broadcasts on them
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""Networks and schedules as arrays."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _native
from ._errors import InputError
from ._experiments import Progress
from ._text import to_text

#: A node: its number (on a lattice x runs fastest), or its coordinates, x first.
Node = Union[int, Sequence[int]]


class Network:
    """A network of directed links: ``torus:64x64``, ``mesh:8x8``, ``ibt:64x64:b=4,16``, ``graph:FILE.csv``, or
    ``cluster:FILE.yaml``, whose switches are nodes after its machines (docs/networks.md, docs/clusters.md).

    Nodes are numbered from 0, x fastest; distances are in hops. They are measured when one of them is first asked
    for: exactly, but where that would take more than four billion visits of links from a sample of sources
    (`sampled`), which `seed` draws. Raises InputError for what is no network, and where distances are asked for and
    a node cannot reach another.
    """

    def __init__(self, specification: str, *, seed: int = 1) -> None:
        self._network = _native.Network(specification)
        self._specification = specification
        self._seed = seed

    def __repr__(self) -> str:
        return f"interlace.Network({self._specification!r})"

    def __str__(self) -> str:
        return self._specification

    @property
    def specification(self) -> str:
        """As it was given."""
        return self._specification

    @property
    def nodes(self) -> int:
        """Number of nodes, switches among them."""
        return self._network.nodes

    @property
    def links(self) -> int:
        """Number of directed links: a cable is two."""
        return self._network.links

    @property
    def degree(self) -> int:
        """Most outputs of a node."""
        return int(self._metrics["degree"])

    @property
    def degree_min(self) -> int:
        """Fewest outputs of a node."""
        return int(self._metrics["degree_min"])

    @property
    def diameter(self) -> int:
        """Hops between the two nodes that are farthest apart; where it is `sampled`, a lower bound."""
        return int(self._metrics["diameter"])

    @property
    def radius(self) -> int:
        """The minimum, over all nodes, of the hops to the node that is farthest from it."""
        return int(self._metrics["radius"])

    @property
    def mean_distance(self) -> float:
        """Hops, the mean over all ordered pairs of nodes, those of a node with itself among them: the mu of the iBT
        paper (Zhang and Deng 2012, section 3.2)."""
        return float(self._metrics["mean_distance"])

    @property
    def mean_distance_distinct(self) -> float:
        """Hops, the mean over all ordered pairs of two different nodes."""
        return float(self._metrics["mean_distance_distinct"])

    @property
    def histogram(self) -> npt.NDArray[np.float64]:
        """[diameter + 1]: the share of all ordered pairs that are so many hops apart; they add up to 1."""
        return np.array(self._metrics["histogram"], dtype=np.float64)

    @property
    def sampled(self) -> bool:
        """Whether distances are from a sample of sources."""
        return bool(self._metrics["sampled"])

    def edges(self) -> npt.NDArray[np.int32]:
        """[links, 3]: of each directed link the node that sends, the node that receives, and the sender's port, from 0
        (on a lattice +x, -x, +y, ..., then bypass links); ordered by sender and port."""
        return self._network.edges()

    def coordinates(self) -> npt.NDArray[np.int32]:
        """[nodes, dimensions]: of each node its coordinates, x first. Raises InputError where a network has none (a
        graph, a cluster)."""
        return self._network.coordinates()

    @cached_property
    def _metrics(self) -> dict[str, Any]:
        return self._network.measure(self._seed)


def _broadcast(
    network: Union[Network, str], group: str, axes: str, source: Node, packets: int, **more: Any
) -> dict[str, Any]:
    node = ",".join(str(x) for x in source) if isinstance(source, Sequence) else source
    values = {"group": group, "axes": axes, "source": node, "packets": packets, **more}
    return {"schema": 1, "network": str(network), "broadcast": {k: v for k, v in values.items() if v != ""}}


def schedule(
    network: Union[Network, str],
    *,
    algorithm: str = "",
    group: str = "global",
    axes: str = "",
    source: Node = 0,
    packets: int = 32,
    pattern: str = "best",
    seed: int = 1,
    progress: Optional[Progress] = None,
) -> npt.NDArray[np.int32]:
    """The schedule of a pipelined broadcast, which the independent checker has proved: [sends, 4], each row ``step,
    from, to, packet``: in that step (from 1) `from` sends the packet (from 0) to its neighbour `to`, which holds it
    after that. Ordered by step; the last row's step is how many there are.

    algorithm: ``paper``, ``spanning_tree``, ``ring`` or ``optimal``; by default optimal for a list of nodes, else paper
        on an iBT, spanning_tree on a torus, optimal elsewhere (docs/broadcasts.md, docs/optimal.md)
    group: who receives: ``global``, ``line``, ``rectangle``, or a list as in ``nodes:0,5,7``
    axes: of a line or rectangle: ``x``, ``xy``, ``0,1``; by default ``x``, ``xy``
    source: the node that has all packets at the beginning
    packets: 1 to 1,000,000; packets times nodes at most 2^31
    pattern: of the algorithm paper: 0 to 15, or best
    seed: of the algorithm optimal, which breaks ties by it
    progress: as of :func:`run`

    Raises InputError for what the network or the algorithm cannot do.
    """
    broadcast = _broadcast(network, group, axes, source, packets, algorithm=algorithm, pattern=pattern)
    return _native.schedule(to_text({**broadcast, "seed": seed}), progress)


def check(
    network: Union[Network, str],
    schedule: npt.ArrayLike,
    *,
    group: str = "global",
    axes: str = "",
    source: Node = 0,
    packets: int = 32,
) -> dict[str, Any]:
    """Replays anyone's schedule in the independent checker, which shares no code with any scheduler: every member of
    the group ends with every packet, no node sends what it does not hold at the end of the step before, no directed
    link carries two packets in one step, only links of the network are used (of a line or rectangle, its own).

    schedule: whole numbers [sends, 4] as :func:`schedule` returns them, in any order

    Returns what ``interlace check --json`` prints: ``valid``; ``problem``, the first of ``problems`` (a number), or
    None; ``steps``; ``lower_bound``, which no schedule can beat, and ``gap``; ``sends`` and ``redundant_sends``, which
    delivered what was there already: allowed, but in vain. Raises InputError for an array that is no schedule.
    """
    array = np.asarray(schedule)
    if array.size == 0:
        array = np.empty((0, 4), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 4 or not np.issubdtype(array.dtype, np.integer):
        raise InputError(
            f"a schedule of {array.dtype}, shape {list(array.shape)}; expected whole numbers [sends, 4]",
            key="schedule",
            expected="whole numbers [sends, 4]",
        )
    broadcast = _broadcast(network, group, axes, source, packets)
    result: dict[str, Any] = json.loads(
        _native.check(to_text(broadcast), np.ascontiguousarray(array, dtype=np.int64))
    )
    return result
