/* What is at `from` goes to `to`, on this rank. */
static int copy(const void *from, int from_count, MPI_Datatype from_type, void *to, int to_count,
                MPI_Datatype to_type, MPI_Comm comm) {
    MPI_Comm own;
    int rank = 0;
    TRY(own_communicator(comm, &own));
    TRY(MPI_Comm_rank(own, &rank));
    return MPI_Sendrecv(from, from_count, from_type, rank, 0, to, to_count, to_type, rank, 0, own, MPI_STATUS_IGNORE);
}

