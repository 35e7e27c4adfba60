#define TRY(call)                                  \
    do {                                           \
        const int error_ = (call);                 \
        if (error_ != MPI_SUCCESS) return error_;  \
    } while (0)

static int free_own(MPI_Comm comm, int key, void *own, void *state) {
    (void)comm;
    (void)key;
    (void)state;
    const int error = MPI_Comm_free((MPI_Comm *)own);
    free(own);
    return error;
}

static int make_own(MPI_Comm comm, int key, MPI_Comm *own) {
    TRY(MPI_Comm_dup(comm, own));
    TRY(MPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN)); /* report() tells the caller's handler */
    return MPI_Comm_set_attr(comm, key, own);
}

/* A communicator of our own beside the caller's, made once, so that no tag of ours meets one of the caller's. */
static int own_communicator(MPI_Comm comm, MPI_Comm *own) {
    static int key = MPI_KEYVAL_INVALID;
    int found = 0;
    MPI_Comm *kept = NULL;
    if (key == MPI_KEYVAL_INVALID) TRY(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_own, &key, NULL));
    TRY(MPI_Comm_get_attr(comm, key, &kept, &found));
    if (!found) {
        kept = (MPI_Comm *)malloc(sizeof *kept);
        if (kept == NULL) return MPI_ERR_NO_MEM;
        const int error = make_own(comm, key, kept);
        if (error != MPI_SUCCESS) {
            free(kept);
            return error;
        }
    }
    *own = *kept;
    return MPI_SUCCESS;
}

/* The caller's error handler hears of it, as of any MPI error. */
static int report(MPI_Comm comm, int error) {
    if (error != MPI_SUCCESS) MPI_Comm_call_errhandler(comm, error);
    return error;
}

/* This rank's number in `comm`, which has to be one group of as many ranks as there are machines. */
static int rank_in(MPI_Comm comm, int *rank) {
    int between_groups = 0, size = 0;
    TRY(MPI_Comm_test_inter(comm, &between_groups));
    TRY(MPI_Comm_size(comm, &size));
    if (between_groups || size != MACHINES) return MPI_ERR_COMM;
    return MPI_Comm_rank(comm, rank);
}

/* Where blocks are: `count` elements of `type` each, one `extent` (in bytes) after another from the address `base`
   (a number, for MPI_BOTTOM is an address that C does not count from). */
struct place {
    MPI_Aint base;
    int count;
    MPI_Datatype type;
    MPI_Aint extent;
};

static int place_at(const void *buffer, int count, MPI_Datatype type, struct place *place) {
    MPI_Aint lower = 0;
    if (count < 0) return MPI_ERR_COUNT;
    place->base = (MPI_Aint)buffer;
    place->count = count;
    place->type = type;
    return MPI_Type_get_extent(type, &lower, &place->extent);
}

/* From the first element of all to one of a block, in bytes. */
static MPI_Aint offset_of(const struct place *place, int block, int element) {
    return ((MPI_Aint)block * place->count + element) * place->extent;
}

static char *element_at(const struct place *place, int block, int element) {
    return (char *)(place->base + offset_of(place, block, element));
}
