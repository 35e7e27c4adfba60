/* Packets are cut from the bytes of all blocks (all machines have to be of one kind). */
static int exchange(int rank, const struct place *from, const struct place *to, char *out, char *in, MPI_Aint bytes,
                    MPI_Comm own) {
    for (int i = 0; i < MACHINES; ++i) TRY(convert(PACK, from, i, out + i * bytes, own));
    TRY(run_shuffle(&machines[rank], out, in, bytes, own));
    for (int i = 0; i < MACHINES; ++i) TRY(convert(UNPACK, to, i, (i == rank ? out : in) + i * bytes, own));
    return MPI_SUCCESS;
}

static int collective(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm) {
    int rank = 0, sent = 0, received = 0;
    struct place from, to;
    MPI_Comm own = MPI_COMM_NULL;
    TRY(rank_in(comm, &rank));
    TRY(place_at(recvbuf, recvcount, recvtype, &to));
    from = to;
    if (sendbuf != MPI_IN_PLACE) TRY(place_at(sendbuf, sendcount, sendtype, &from));
    TRY(element_bytes(&from, &sent));
    TRY(element_bytes(&to, &received));
    const MPI_Aint bytes = (MPI_Aint)to.count * received;
    if ((MPI_Aint)from.count * sent != bytes) return MPI_ERR_COUNT;
    TRY(own_communicator(comm, &own));
    char *const out = (char *)malloc(2 * MACHINES * (size_t)bytes + 1);
    if (out == NULL) return MPI_ERR_NO_MEM;
    const int error = exchange(rank, &from, &to, out, out + MACHINES * bytes, bytes, own);
    free(out);
    return error;
}
