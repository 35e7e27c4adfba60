/* A block goes to another place on this rank. */
static int copy_block(const struct place *from, int block, const struct place *to, int to_block, MPI_Comm comm) {
    MPI_Comm own = MPI_COMM_NULL;
    int rank = 0;
    TRY(own_communicator(comm, &own));
    TRY(MPI_Comm_rank(own, &rank));
    return MPI_Sendrecv(element_at(from, block, 0), from->count, from->type, rank, 0, element_at(to, to_block, 0),
                        to->count, to->type, rank, 0, own, MPI_STATUS_IGNORE);
}
