/* Interlace: the part of MPI that generated routines use, of a stand-in that moves no data (counts_test.cpp)
   Copyright (c) 2026 the interlace authors
   SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef ptrdiff_t MPI_Aint;
typedef const struct stand_in_type* MPI_Datatype;
typedef int MPI_Comm, MPI_Request, MPI_Status, MPI_Errhandler;
typedef int stand_in_free_attribute(MPI_Comm, int, void*, void*);

enum { MPI_SUCCESS, MPI_ERR_COMM, MPI_ERR_COUNT, MPI_ERR_NO_MEM, MPI_ERR_ROOT, MPI_ERR_TRUNCATE };
enum { MPI_COMM_NULL, MPI_COMM_WORLD, MPI_ERRORS_RETURN = 0, MPI_KEYVAL_INVALID = 0, MPI_REQUEST_NULL = 0 };
#define MPI_IN_PLACE ((void*)1)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_STATUSES_IGNORE ((MPI_Status*)0)
#define MPI_COMM_NULL_COPY_FN 0
#define MPI_BYTE stand_in_byte
extern const MPI_Datatype stand_in_byte;

int MPI_Comm_call_errhandler(MPI_Comm, int);
int MPI_Comm_create_keyval(int, stand_in_free_attribute*, int*, void*);
int MPI_Comm_dup(MPI_Comm, MPI_Comm*);
int MPI_Comm_free(MPI_Comm*);
int MPI_Comm_get_attr(MPI_Comm, int, void*, int*);
int MPI_Comm_rank(MPI_Comm, int*);
int MPI_Comm_set_attr(MPI_Comm, int, void*);
int MPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler);
int MPI_Comm_size(MPI_Comm, int*);
int MPI_Comm_test_inter(MPI_Comm, int*);
int MPI_Ibarrier(MPI_Comm, MPI_Request*);
int MPI_Irecv(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
int MPI_Isend(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
int MPI_Pack(const void*, int, MPI_Datatype, void*, int, int*, MPI_Comm);
int MPI_Sendrecv(const void*, int, MPI_Datatype, int, int, void*, int, MPI_Datatype, int, int, MPI_Comm,
                 MPI_Status*);
int MPI_Type_commit(MPI_Datatype*);
int MPI_Type_contiguous(int, MPI_Datatype, MPI_Datatype*);
int MPI_Type_create_hindexed_block(int, int, const MPI_Aint[], MPI_Datatype, MPI_Datatype*);
int MPI_Type_free(MPI_Datatype*);
int MPI_Type_get_extent(MPI_Datatype, MPI_Aint*, MPI_Aint*);
int MPI_Type_get_true_extent(MPI_Datatype, MPI_Aint*, MPI_Aint*);
int MPI_Type_size(MPI_Datatype, int*);
int MPI_Unpack(const void*, int, int*, void*, int, MPI_Datatype, MPI_Comm);
int MPI_Waitany(int, MPI_Request[], int*, MPI_Status*);
int MPI_Waitsome(int, MPI_Request[], int*, int[], MPI_Status[]);

#ifdef __cplusplus
}
#endif
