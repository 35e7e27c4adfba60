/* What is sent from the buffer that is received into is kept aside; `kept` is what to free. */
static int keep(const struct place *place, struct place *aside, char **kept, MPI_Comm comm) {
    *aside = *place;
    TRY(allocate((MPI_Aint)MACHINES * place->count, place->type, kept, &aside->base));
    for (int i = 0; i < MACHINES; ++i) TRY(copy_block(place, i, aside, i, comm));
    return MPI_SUCCESS;
}

static int collective(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm) {
    int rank = 0;
    struct place from, to;
    char *kept = NULL;
    TRY(rank_in(comm, &rank));
    TRY(place_at(recvbuf, recvcount, recvtype, &to));
    int error = sendbuf == MPI_IN_PLACE ? keep(&to, &from, &kept, comm)
                                        : place_at(sendbuf, sendcount, sendtype, &from);
    if (error == MPI_SUCCESS) error = copy_block(&from, rank, &to, rank, comm);
    if (error == MPI_SUCCESS) error = run_machine(&machines[rank], &from, &to, comm);
    free(kept);
    return error;
}
