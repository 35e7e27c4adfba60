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

    Nodes are numbered from 0, x fastest; distances are in hops. The first access to a distance measures all of them:
    exactly, or from a sample of sources drawn by ``seed`` (see ``sampled``) where an exact measurement would visit more
    than four billion links. Raises InputError for an invalid specification, and on access to a distance where some node
    cannot reach another.
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
        """The specification, as given."""
        return self._specification

    @property
    def nodes(self) -> int:
        """Number of nodes, including switches."""
        return self._network.nodes

    @property
    def links(self) -> int:
        """Number of directed links; a cable is two."""
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
        """Hops between the two nodes that are farthest apart; a lower bound where ``sampled``."""
        return int(self._metrics["diameter"])

    @property
    def radius(self) -> int:
        """The smallest eccentricity: the minimum over all nodes of the hops to the farthest node."""
        return int(self._metrics["radius"])

    @property
    def mean_distance(self) -> float:
        """Mean hops over all ordered pairs of nodes, including a node and itself: the mu of the iBT paper (Zhang and Deng
        2012, section 3.2)."""
        return float(self._metrics["mean_distance"])

    @property
    def mean_distance_distinct(self) -> float:
        """Mean hops over all ordered pairs of two different nodes."""
        return float(self._metrics["mean_distance_distinct"])

    @property
    def histogram(self) -> npt.NDArray[np.float64]:
        """[diameter + 1]: entry h is the share of all ordered pairs that are h hops apart; the sum is 1."""
        return np.array(self._metrics["histogram"], dtype=np.float64)

    @property
    def sampled(self) -> bool:
        """Whether distances come from a sample of sources."""
        return bool(self._metrics["sampled"])

    def edges(self) -> npt.NDArray[np.int32]:
        """[links, 3]: the sender, the receiver and the sender's port of each directed link, ordered by sender and port.
        Ports count from 0 (on a lattice +x, -x, +y, ..., then bypass links)."""
        return self._network.edges()

    def coordinates(self) -> npt.NDArray[np.int32]:
        """[nodes, dimensions]: the coordinates of each node, x first. Raises InputError for a network without coordinates
        (a graph, a cluster)."""
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
    """Returns the schedule of a pipelined broadcast, proven valid by the independent checker.

    The schedule is an array [sends, 4] with rows ``step, from, to, packet``, ordered by step: in that step (from 1),
    node ``from`` sends the packet (from 0) to its neighbour ``to``, which holds it from the next step on. The last
    row's step is the number of steps.

    algorithm: ``paper``, ``spanning_tree``, ``ring`` or ``optimal``; the default is optimal for a list of nodes,
        else paper on an iBT, spanning_tree on a torus, optimal elsewhere (docs/broadcasts.md, docs/optimal.md)
    group: the receivers: ``global``, ``line``, ``rectangle``, or a list as in ``nodes:0,5,7``
    axes: of a line or rectangle: ``x``, ``xy``, ``0,1``; the default is ``x`` or ``xy``
    source: the node that holds all packets at the start
    packets: 1 to 1,000,000; packets times nodes at most 2^31
    pattern: pattern of the algorithm paper: 0 to 15, or best
    seed: seed of the algorithm optimal's tie-breaking
    progress: see :func:`run`

    Raises InputError where the network or the algorithm does not allow the request.
    """
    broadcast = _broadcast(network, group, axes, source, packets, algorithm=algorithm, pattern=pattern)
    return _native.schedule(to_text({**broadcast, "seed": seed}), progress)


def collective_schedule(
    network: Union[Network, str],
    collective: str,
    *,
    algorithm: str = "optimal",
    chunks: Optional[int] = None,
    root: int = 0,
    seed: int = 1,
    progress: Optional[Progress] = None,
) -> npt.NDArray[np.int32]:
    """Returns the schedule of a collective over all links of a network, proven valid by the independent checker.

    The schedule has a row for each send, ordered by step. Its columns are those of the files that ``--write-schedule``
    writes (docs/collectives.md): ``step, from, to, packet``; of reductions also ``op``, 1 where the receiver adds the
    packet to what it has and 0 where it takes it as it is; and where messages go over several links also ``round,
    message``. So its shape is [sends, 4], [sends, 5] or [sends, 7].

    collective: ``allgather``, ``reducescatter``, ``allreduce``, ``alltoall``, ``reduce``, ``scatter``, ``gather`` or
        ``barrier``
    algorithm: one of the collective's algorithms over links
    chunks: packets of a node or pair; the default is as many as the algorithm has parts, 1 of optimal
    root: of a reduce, scatter or gather
    seed: of ties
    progress: see :func:`run`

    Raises InputError where the network or the algorithm does not allow the request.
    """
    section: dict[str, Any] = {"algorithm": algorithm}
    if chunks is not None:
        section["chunks"] = chunks
    if collective in ("reduce", "scatter", "gather"):
        section["root"] = root
    experiment = {"schema": 1, "network": str(network), "engine": "step", "seed": seed, collective: section}
    return _native.collective_schedule(to_text(experiment), progress)


def check(
    network: Union[Network, str],
    schedule: npt.ArrayLike,
    *,
    group: str = "global",
    axes: str = "",
    source: Node = 0,
    packets: int = 32,
) -> dict[str, Any]:
    """Replays a schedule from any source in the independent checker, which shares no code with the schedulers.

    The checker proves that every member of the group ends with every packet, that a node sends only packets that it
    held at the end of the step before, that no directed link carries two packets in one step, and that only links of
    the network (or of the line or rectangle) are used.

    schedule: whole numbers [sends, 4] as :func:`schedule` returns them, in any order

    Returns the object that ``interlace check --json`` prints: ``valid``; ``problems``, their number, and ``problem``,
    the first of them or None; ``steps``; ``lower_bound``, which no schedule can beat, and ``gap``; ``sends`` and
    ``redundant_sends``, which deliver a packet that the receiver already holds and are allowed. Raises InputError for
    an array that is not a schedule.
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
