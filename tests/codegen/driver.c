/* Interlace: generated routines beside MPI's own, byte for byte
   Copyright (c) 2026 the interlace authors
   SPDX-License-Identifier: Apache-2.0

   The first MACHINES ranks of the world are the machines; there is one rank more, or as many again. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "headers.h" /* of every routine */

typedef int gathering(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
typedef int broadcasting(void *, int, MPI_Datatype, int, MPI_Comm);

enum { MOST_TYPES = 16, ROWS = 3 };
static int rank, size, failures; /* of the machines */

static void check(int right, const char *name, const char *what, const char *type, int count) {
    if (right) return;
    ++failures;
    fprintf(stderr, "rank %d: %s, %d of %s: %s\n", rank, name, count, type, what);
}

/* Elements of a type, and the same data in another type and number for whoever wants them so. */
struct shape {
    const char *name;
    MPI_Datatype type, dense;
    int dense_elements; /* of `dense` for each of `type` */
};

static MPI_Datatype resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent) {
    MPI_Datatype result;
    MPI_Type_create_resized(type, lower, extent, &result);
    MPI_Type_commit(&result);
    MPI_Type_free(&type);
    return result;
}

static MPI_Datatype vector_of(int blocks, int length, int stride, MPI_Datatype type) {
    MPI_Datatype result;
    MPI_Type_vector(blocks, length, stride, type, &result);
    return result;
}

/* Two ints, bytes before and behind the address of their element. */
static MPI_Datatype two_at(MPI_Aint first, MPI_Aint second) {
    const MPI_Aint places[] = {first, second};
    MPI_Datatype result;
    MPI_Type_create_hindexed_block(2, 1, places, MPI_INT, &result);
    return result;
}

/* The types for `elements` in a row. */
static int make_shapes(int elements, struct shape *shapes) {
    MPI_Datatype none;
    MPI_Type_contiguous(0, MPI_INT, &none);
    const struct shape all[] = {
        {"char", MPI_CHAR, MPI_CHAR, 1},
        {"double", MPI_DOUBLE, MPI_DOUBLE, 1},
        {"every other of six shorts", resized(vector_of(3, 1, 2, MPI_SHORT), 0, 12), MPI_SHORT, 3},
        {"every other of five shorts", resized(vector_of(3, 1, 2, MPI_SHORT), 0, 10), MPI_SHORT, 3},
        {"a column of a matrix", resized(vector_of(ROWS, 1, elements, MPI_INT), 0, sizeof(int)), MPI_INT, ROWS},
        {"a column far from its address", resized(two_at(1024, 1024 + (MPI_Aint)sizeof(int) * elements), 512, 4), MPI_INT, 2},
        {"a column before its address", resized(two_at(-4096, -4096 + (MPI_Aint)sizeof(int) * elements), -4, 4), MPI_INT, 2},
        {"two around their address", resized(two_at(-12, 24), -4, 8), MPI_INT, 2},
        {"backwards", resized(two_at(-4, 0), 0, -8), MPI_INT, 2},
        {"nothing", resized(none, 0, 16), MPI_CHAR, 0},
    };
    const int count = (int)(sizeof all / sizeof all[0]);
    memcpy(shapes, all, sizeof all);
    return count;
}

static void free_shapes(struct shape *shapes, int count) {
    for (int i = 2; i < count; ++i) MPI_Type_free(&shapes[i].type);
}

/* As many bytes as elements reach over, each of a value that depends on the rank, on the salt and on its place; no more, so that
   an address beside them is found. `base` is where MPI is told that they are. */
struct buffer {
    unsigned char *memory;
    char *base;
    size_t bytes;
};

static struct buffer filled(MPI_Datatype type, int elements, int salt) {
    MPI_Aint lower, extent, first, true_extent;
    MPI_Type_get_extent(type, &lower, &extent);
    MPI_Type_get_true_extent(type, &first, &true_extent);
    const MPI_Aint last = elements > 0 ? (elements - 1) * extent : 0;
    struct buffer buffer;
    buffer.bytes = elements > 0 ? (size_t)(true_extent + (last < 0 ? -last : last)) : 0;
    buffer.memory = (unsigned char *)malloc(buffer.bytes);
    buffer.base = (char *)buffer.memory - first - (last < 0 ? last : 0);
    for (size_t i = 0; i < buffer.bytes; ++i)
        buffer.memory[i] = (unsigned char)(31 * i + 7 * (size_t)rank + (size_t)salt + i / 251);
    return buffer;
}

static void compare_and_free(const char *name, const struct shape *shape, int count, int error, struct buffer mine,
                             struct buffer expected) {
    check(error == MPI_SUCCESS, name, "returned an error", shape->name, count);
    check(memcmp(mine.memory, expected.memory, mine.bytes) == 0, name, "differs from MPI's own", shape->name, count);
    free(mine.memory);
    free(expected.memory);
}

/* What MPI's own routine does, with blocks as bytes, since Open MPI 4.1 itself writes beside types like these. */
static void pack(char *base, int count, MPI_Datatype type, int blocks, char *bytes, int all, int unpacks) {
    MPI_Aint lower, extent;
    int position = 0;
    MPI_Type_get_extent(type, &lower, &extent);
    for (int b = 0; b < blocks; ++b) {
        char *const block = base + (MPI_Aint)b * count * extent;
        if (unpacks)
            MPI_Unpack(bytes, all, &position, block, count, type, MPI_COMM_WORLD);
        else
            MPI_Pack(block, count, type, bytes, all, &position, MPI_COMM_WORLD);
    }
}

static void by_bytes(gathering *theirs, int exchange, char *from, int from_count, MPI_Datatype from_type, char *to,
                     int to_count, MPI_Datatype to_type, MPI_Comm comm) {
    int element = 0;
    MPI_Type_size(to_type, &element);
    const int block = element * to_count, all = block * size;
    char *const bytes = (char *)malloc(2 * (size_t)all + 1);
    pack(from, from_count, from_type, exchange ? size : 1, bytes, all, 0);
    theirs(bytes, block, MPI_BYTE, bytes + all, block, MPI_BYTE, comm);
    pack(to, to_count, to_type, size, bytes + all, all, 1);
    free(bytes);
}

enum mode { SAME, IN_PLACE, FROM_DENSE, TO_DENSE, MODES };

static void compare(const char *name, gathering *ours, gathering *theirs, int exchange, const struct shape *shape,
                    int count, enum mode mode, MPI_Comm comm) {
    const MPI_Datatype from_type = mode == FROM_DENSE ? shape->dense : shape->type;
    const MPI_Datatype to_type = mode == TO_DENSE ? shape->dense : shape->type;
    const int from_count = mode == FROM_DENSE ? count * shape->dense_elements : count;
    const int to_count = mode == TO_DENSE ? count * shape->dense_elements : count;
    const struct buffer from = filled(from_type, exchange ? from_count * size : from_count, 1);
    const struct buffer mine = filled(to_type, to_count * size, 2), expected = filled(to_type, to_count * size, 2);
    MPI_Aint lower, extent;
    int of_comm = 0;
    MPI_Comm_rank(comm, &of_comm);
    MPI_Type_get_extent(to_type, &lower, &extent);
    if (mode == IN_PLACE) {
        char *const own = expected.base + (exchange ? 0 : (MPI_Aint)of_comm * to_count * extent);
        by_bytes(theirs, exchange, own, to_count, to_type, expected.base, to_count, to_type, comm);
        /* What is sent is not looked at. */
        const int error = ours(MPI_IN_PLACE, -5, MPI_DATATYPE_NULL, mine.base, to_count, to_type, comm);
        compare_and_free(name, shape, count, error, mine, expected);
    } else {
        by_bytes(theirs, exchange, from.base, from_count, from_type, expected.base, to_count, to_type, comm);
        const int error = ours(from.base, from_count, from_type, mine.base, to_count, to_type, comm);
        compare_and_free(name, shape, count, error, mine, expected);
    }
    free(from.memory);
}

static void compare_broadcast(const char *name, broadcasting *ours, int root, const struct shape *shape, int count,
                              int dense, MPI_Comm comm) {
    const MPI_Datatype type = dense ? shape->dense : shape->type;
    const int elements = dense ? count * shape->dense_elements : count;
    const struct buffer mine = filled(type, elements, 3), expected = filled(type, elements, 3);
    int element = 0;
    MPI_Type_size(type, &element);
    const int all = element * elements;
    char *const bytes = (char *)malloc((size_t)all + 1);
    pack(expected.base, elements, type, 1, bytes, all, 0);
    MPI_Bcast(bytes, all, MPI_BYTE, root, comm);
    pack(expected.base, elements, type, 1, bytes, all, 1);
    free(bytes);
    const int error = ours(mine.base, elements, type, root, comm);
    compare_and_free(name, shape, count, error, mine, expected);
}

/* MPI_BOTTOM: the type has the address. */
static void compare_from_bottom(const char *name, gathering *ours, gathering *theirs, MPI_Comm comm) {
    int *const memory = (int *)malloc(4 * (size_t)size * sizeof *memory), *const mine = memory + 2 * size;
    int *const expected = memory + 3 * size;
    MPI_Datatype types[3];
    for (int i = 0; i < 4 * size; ++i) memory[i] = i < 2 * size ? 1000 * rank + i : 0;
    for (int i = 0; i < 3; ++i) {
        MPI_Aint place;
        MPI_Get_address(i == 0 ? memory : i == 1 ? mine : expected, &place);
        MPI_Type_create_hindexed_block(1, 1, &place, MPI_INT, &types[i]);
        types[i] = resized(types[i], place, sizeof(int));
    }
    check(ours(MPI_BOTTOM, 1, types[0], MPI_BOTTOM, 1, types[1], comm) == MPI_SUCCESS, name, "an error", "bottom", 1);
    theirs(memory, 1, MPI_INT, expected, 1, MPI_INT, comm);
    check(memcmp(mine, expected, (size_t)size * sizeof *mine) == 0, name, "differs from MPI's own", "bottom", 1);
    ours(MPI_IN_PLACE, 1, types[1], MPI_BOTTOM, 1, types[1], comm);
    theirs(MPI_IN_PLACE, 1, MPI_INT, expected, 1, MPI_INT, comm);
    check(memcmp(mine, expected, (size_t)size * sizeof *mine) == 0, name, "differs in place", "bottom", 1);
    for (int i = 0; i < 3; ++i) MPI_Type_free(&types[i]);
    free(memory);
}

static int heard; /* errors, by the handler of a communicator */

static void hear(MPI_Comm *comm, int *error, ...) {
    (void)comm;
    (void)error;
    ++heard;
}

static void listen_to(MPI_Comm comm) {
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(hear, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
}

/* An error of its class, which the communicator's handler heard once. */
static void refused(int error, int class_, const char *name, const char *what) {
    int found = 0;
    MPI_Error_class(error, &found);
    check(found == class_, name, what, "char", 1);
    check(heard == 1, name, "not heard of once by the handler", "char", 1);
    heard = 0;
}

struct communicators {
    MPI_Comm world; /* of the machines; none on the ranks besides */
    MPI_Comm reversed;
    MPI_Comm few;     /* all machines but the last */
    MPI_Comm between; /* the machines and the ranks besides */
};

static struct communicators make_communicators(int machines) {
    struct communicators c;
    int of_world = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &of_world);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int machine = of_world < machines;
    MPI_Comm mine;
    MPI_Comm_split(MPI_COMM_WORLD, machine, of_world, &mine);
    MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, machine ? machines : 0, 1, &c.between);
    MPI_Comm_split(mine, machine ? 0 : MPI_UNDEFINED, -of_world, &c.reversed);
    MPI_Comm_split(mine, machine && of_world + 1 < machines ? 0 : MPI_UNDEFINED, of_world, &c.few);
    c.world = machine ? mine : MPI_COMM_NULL;
    if (!machine) MPI_Comm_free(&mine);
    listen_to(c.between);
    if (c.few != MPI_COMM_NULL) listen_to(c.few);
    return c;
}

static void free_communicators(struct communicators *c) {
    MPI_Comm *const all[] = {&c->world, &c->reversed, &c->few, &c->between};
    for (int i = 0; i < 4; ++i)
        if (*all[i] != MPI_COMM_NULL) MPI_Comm_free(all[i]);
}

/* On all ranks of the world. */
static void test_between(const char *name, gathering *ours, MPI_Comm between) {
    char byte[64] = {0}, other[64] = {0};
    refused(ours(byte, 1, MPI_CHAR, other, 1, MPI_CHAR, between), MPI_ERR_COMM, name, "takes two groups");
}

static void test_broadcast_between(const char *name, broadcasting *ours, int root, MPI_Comm between) {
    char byte = 0;
    refused(ours(&byte, 1, MPI_CHAR, root, between), MPI_ERR_COMM, name, "takes two groups");
}

static const int counts[] = {0, 1, 7, 3000};

/* Long blocks, which MPI sends in another way than short ones, of a plain type and of a matrix' columns; nothing at all in two. */
static int is_tried(int count, int type, int mode) {
    return count == 3000 ? (type == 1 || type == 4) && mode <= IN_PLACE : count > 0 || mode <= IN_PLACE;
}

static void test(const char *name, gathering *ours, gathering *theirs, int exchange, const struct communicators *c) {
    char byte[64] = {0};
    for (int i = 0; i < 4; ++i) {
        struct shape shapes[MOST_TYPES];
        const int types = make_shapes(counts[i] * size, shapes);
        for (int t = 0; t < types; ++t)
            for (int m = 0; m < MODES; ++m) {
                if (!is_tried(counts[i], t, m)) continue;
                const enum mode mode = (enum mode)m, mixed = rank % 2 == 0 ? SAME : mode; /* types differ from rank to rank */
                compare(name, ours, theirs, exchange, &shapes[t], counts[i], mode, c->world);
                if (counts[i] != 7) continue;
                compare(name, ours, theirs, exchange, &shapes[t], counts[i], mode, c->reversed);
                if (mode >= FROM_DENSE) compare(name, ours, theirs, exchange, &shapes[t], counts[i], mixed, c->world);
            }
        free_shapes(shapes, types);
    }
    compare_from_bottom(name, ours, theirs, c->world);
    if (c->few != MPI_COMM_NULL)
        refused(ours(byte, 1, MPI_CHAR, byte, 1, MPI_CHAR, c->few), MPI_ERR_COMM, name, "takes another size");
    listen_to(c->world);
    refused(ours(byte, 1, MPI_CHAR, byte, -1, MPI_CHAR, c->world), MPI_ERR_COUNT, name, "takes -1");
    MPI_Comm_set_errhandler(c->world, MPI_ERRORS_ARE_FATAL);
}

static void test_broadcast(const char *name, broadcasting *ours, int root, const struct communicators *c) {
    char byte[64] = {0};
    for (int i = 0; i < 4; ++i) {
        struct shape shapes[MOST_TYPES];
        const int types = make_shapes(counts[i], shapes);
        for (int t = 0; t < types; ++t)
            for (int dense = 0; dense < 3; ++dense) { /* 2: on every other rank */
                if (!is_tried(counts[i], t, dense)) continue;
                compare_broadcast(name, ours, root, &shapes[t], counts[i], dense == 2 ? rank % 2 : dense, c->world);
                compare_broadcast(name, ours, root, &shapes[t], counts[i], dense == 2 ? rank % 2 : dense, c->reversed);
            }
        free_shapes(shapes, types);
    }
    if (c->few != MPI_COMM_NULL)
        refused(ours(byte, 1, MPI_CHAR, root, c->few), MPI_ERR_COMM, name, "takes another size");
    listen_to(c->world);
    refused(ours(byte, 1, MPI_CHAR, (root + 1) % size, c->world), MPI_ERR_ROOT, name, "takes another root");
    refused(ours(byte, -1, MPI_CHAR, root, c->world), MPI_ERR_COUNT, name, "takes -1");
    MPI_Comm_set_errhandler(c->world, MPI_ERRORS_ARE_FATAL);
}

/* All ranks meet here; those that have nothing to do sleep meanwhile. */
static void meet(void) {
    const struct timespec while_ = {0, 50 * 1000 * 1000};
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (; !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE)) nanosleep(&while_, NULL);
}

int main(int argc, char **argv) {
    int routines = 0, all_failures = 0;
    MPI_Init(&argc, &argv);
    size = atoi(argv[1]);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct communicators c = make_communicators(size);
#define SHUFFLE(name) EXCHANGE(name)
#define GATHER(name) test_between(#name, name, c.between);
#define EXCHANGE(name) GATHER(name)
#define BROADCAST(name, root) test_broadcast_between(#name, name, root, c.between);
#include "routines.h"
#undef GATHER
#undef EXCHANGE
#undef BROADCAST
#define GATHER(name) ++routines, test(#name, name, MPI_Allgather, 0, &c);
#define EXCHANGE(name) ++routines, test(#name, name, MPI_Alltoall, 1, &c);
#define BROADCAST(name, root) ++routines, test_broadcast(#name, name, root, &c);
    if (c.world != MPI_COMM_NULL) {
#include "routines.h"
    }
    meet();
    free_communicators(&c);
    MPI_Allreduce(&failures, &all_failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d routines on %d ranks, %d failures\n", routines, size, all_failures);
    MPI_Finalize();
    return all_failures == 0 ? 0 : 1;
}
