#define TRY(call)                                  \
    do {                                           \
        const int error_ = (call);                 \
        if (error_ != MPI_SUCCESS) return error_;  \
    } while (0)

static int free_own(MPI_Comm comm, int key, void *own, void *state) {
    (void)comm;
    (void)key;
    (void)state;
    const int error = MPI_Comm_free(own);
    free(own);
    return error;
}

/* A communicator of our own beside the caller's, made once, so that no tag of ours meets one of the caller's. */
static int own_communicator(MPI_Comm comm, MPI_Comm *own) {
    static int key = MPI_KEYVAL_INVALID;
    int found = 0;
    MPI_Comm *kept = NULL;
    if (key == MPI_KEYVAL_INVALID) TRY(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_own, &key, NULL));
    TRY(MPI_Comm_get_attr(comm, key, &kept, &found));
    if (!found) {
        kept = malloc(sizeof *kept);
        if (kept == NULL) return MPI_ERR_NO_MEM;
        TRY(MPI_Comm_dup(comm, kept));
        TRY(MPI_Comm_set_attr(comm, key, kept));
    }
    *own = *kept;
    return MPI_SUCCESS;
}

/* The caller's error handler hears of it, as of any MPI error. */
static int report(MPI_Comm comm, int error) {
    if (error != MPI_SUCCESS) MPI_Comm_call_errhandler(comm, error);
    return error;
}
