/* Interlace: generated routines beside MPI's own, byte for byte
   Copyright (c) 2026 the interlace authors
   SPDX-License-Identifier: Apache-2.0 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int gathering(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
typedef int broadcasting(void *, int, MPI_Datatype, int, MPI_Comm);
#define GATHER(name) gathering name;
#define EXCHANGE(name) gathering name;
#define BROADCAST(name, root) broadcasting name;
#include "routines.h"
#undef GATHER
#undef EXCHANGE
#undef BROADCAST

enum { GUARD = 64 };
static int rank, size, failures;

static void check(int right, const char *name, const char *what) {
    if (right) return;
    ++failures;
    fprintf(stderr, "rank %d: %s: %s\n", rank, name, what);
}

/* Bytes that depend on the rank, the buffer and the place. */
static unsigned char *filled(size_t bytes, int salt) {
    unsigned char *buffer = malloc(bytes + GUARD);
    for (size_t i = 0; i < bytes + GUARD; ++i) buffer[i] = (unsigned char)(31 * i + 7 * (size_t)rank + (size_t)salt + i / 251);
    return buffer;
}

static size_t bytes_of(MPI_Datatype type, int count) {
    MPI_Aint lower, extent;
    MPI_Type_get_extent(type, &lower, &extent);
    return (size_t)extent * (size_t)count;
}

static void compare(const char *name, gathering *ours, gathering *theirs, int exchange, MPI_Datatype type, int count,
                    int in_place) {
    const size_t block = bytes_of(type, count);
    const size_t all = block * (size_t)size;
    unsigned char *const from = filled(exchange ? all : block, 1);
    unsigned char *const mine = filled(all, 2);
    unsigned char *const expected = filled(all, 2);
    const int error = ours(in_place ? MPI_IN_PLACE : from, count, type, mine, count, type, MPI_COMM_WORLD);
    theirs(in_place ? MPI_IN_PLACE : from, count, type, expected, count, type, MPI_COMM_WORLD);
    check(error == MPI_SUCCESS, name, "returned an error");
    check(memcmp(mine, expected, all + GUARD) == 0, name, "differs from MPI's own");
    free(from);
    free(mine);
    free(expected);
}

static void compare_broadcast(const char *name, broadcasting *ours, int root, MPI_Datatype type, int count) {
    const size_t all = bytes_of(type, count);
    unsigned char *const mine = filled(all, 3);
    unsigned char *const expected = filled(all, 3);
    check(ours(mine, count, type, root, MPI_COMM_WORLD) == MPI_SUCCESS, name, "returned an error");
    MPI_Bcast(expected, count, type, root, MPI_COMM_WORLD);
    check(memcmp(mine, expected, all + GUARD) == 0, name, "differs from MPI's own");
    free(mine);
    free(expected);
}

/* All but the last rank: a communicator of the wrong size. */
static MPI_Comm smaller(void) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank + 1 == size ? MPI_UNDEFINED : 0, rank, &comm);
    if (comm != MPI_COMM_NULL) MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return comm;
}

static int class_of(int error) {
    int class = 0;
    MPI_Error_class(error, &class);
    return class;
}

int main(int argc, char **argv) {
    static const int counts[] = {0, 1, 7, 3000};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Datatype strided; /* every other of six shorts, with a hole at its end */
    MPI_Type_vector(3, 1, 2, MPI_SHORT, &strided);
    MPI_Type_commit(&strided);
    const MPI_Datatype types[] = {MPI_CHAR, MPI_INT, MPI_DOUBLE, strided};
    MPI_Comm few = smaller();
    char byte[64] = {0};
    int routines = 0;
#define GATHER(name) ALL(name, MPI_Allgather, 0)
#define EXCHANGE(name) ALL(name, MPI_Alltoall, 1)
#define ALL(name, theirs, exchange)                                                                   \
    ++routines;                                                                                       \
    for (int t = 0; t < 4; ++t)                                                                       \
        for (int c = 0; c < 4; ++c)                                                                   \
            for (int in_place = 0; in_place < 2; ++in_place)                                          \
                compare(#name, name, theirs, exchange, types[t], counts[c], in_place);                \
    if (few != MPI_COMM_NULL)                                                                         \
        check(class_of(name(byte, 1, MPI_CHAR, byte, 1, MPI_CHAR, few)) == MPI_ERR_COMM, #name,       \
              "takes a communicator of another size");
#define BROADCAST(name, root)                                                                         \
    ++routines;                                                                                       \
    for (int t = 0; t < 4; ++t)                                                                       \
        for (int c = 0; c < 4; ++c) compare_broadcast(#name, name, root, types[t], counts[c]);        \
    if (few != MPI_COMM_NULL)                                                                         \
        check(class_of(name(byte, 1, MPI_CHAR, root, few)) == MPI_ERR_COMM, #name,                    \
              "takes a communicator of another size");                                                \
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);                                       \
    check(class_of(name(byte, 1, MPI_CHAR, (root + 1) % size, MPI_COMM_WORLD)) == MPI_ERR_ROOT,       \
          #name, "takes another root");                                                               \
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
#include "routines.h"
    if (few != MPI_COMM_NULL) MPI_Comm_free(&few);
    MPI_Type_free(&strided);
    int all_failures = 0;
    MPI_Allreduce(&failures, &all_failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d routines on %d ranks, %d failures\n", routines, size, all_failures);
    MPI_Finalize();
    return all_failures == 0 ? 0 : 1;
}
