static int collective(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm) {
    int rank = 0;
    struct place own, blocks;
    TRY(rank_in(comm, &rank));
    TRY(place_at(recvbuf, recvcount, recvtype, &blocks));
    if (sendbuf != MPI_IN_PLACE) {
        TRY(place_at(sendbuf, sendcount, sendtype, &own));
        TRY(copy_block(&own, 0, &blocks, rank, comm));
    }
    return run_machine(&machines[rank], &blocks, &blocks, comm);
}
