static int collective(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    int rank = 0;
    struct place block;
    TRY(rank_in(comm, &rank));
    if (root != ROOT) return MPI_ERR_ROOT;
    TRY(place_at(buffer, count, datatype, &block));
    return run_machine(&machines[rank], &block, &block, comm);
}
