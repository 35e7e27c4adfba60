enum kind { SEND, RECEIVE, BARRIER };

/* Starts when `waits` operations before it are complete; when it is complete, those that `after` lists wait for one
   less. A SEND or RECEIVE carries the blocks that `blocks` lists; NOTE and DUMMY messages carry none. */
struct operation {
    enum kind kind;
    int peer, tag, waits, first_after, afters, first_block, blocks;
};
enum { NOTE = 0, DUMMY = -1 };

struct machine {
    const struct operation *operations;
    const int *after, *blocks;
    int count;
};

/* Where blocks are, in elements of `type` from `base`, `count` of them each. */
struct place {
    char *base;
    int count;
    MPI_Datatype type;
};

struct run {
    const struct machine *machine;
    struct place from, to;
    char *scratch; /* where dummies go */
    MPI_Comm comm;
    MPI_Request *requests;
    int *operation_of, *waits, *done;
    int pending;
};

/* One block as it is; several as one type that names their places. */
static int make_type(const struct place *place, const int *blocks, int count, char **start, int *elements,
                     MPI_Datatype *type) {
    MPI_Aint lower, extent;
    TRY(MPI_Type_get_extent(place->type, &lower, &extent));
    if (count == 1) {
        *start = place->base + (MPI_Aint)blocks[0] * place->count * extent;
        *elements = place->count;
        *type = place->type;
        return MPI_SUCCESS;
    }
    MPI_Datatype one;
    MPI_Aint *displacements = malloc((size_t)count * sizeof *displacements);
    if (displacements == NULL) return MPI_ERR_NO_MEM;
    for (int i = 0; i < count; ++i) displacements[i] = (MPI_Aint)blocks[i] * place->count * extent;
    int error = MPI_Type_contiguous(place->count, place->type, &one);
    if (error == MPI_SUCCESS) {
        error = MPI_Type_create_hindexed_block(count, 1, displacements, one, type);
        MPI_Type_free(&one);
    }
    free(displacements);
    if (error == MPI_SUCCESS) error = MPI_Type_commit(type);
    *start = place->base;
    *elements = 1;
    return error;
}

static int start(struct run *run, int index) {
    const struct operation *op = &run->machine->operations[index];
    MPI_Request *request = &run->requests[run->pending];
    run->operation_of[run->pending++] = index;
    if (op->kind == BARRIER) return MPI_Ibarrier(run->comm, request);
    const struct place *place = op->kind == SEND ? &run->from : &run->to;
    char *buffer = place->base;
    int elements = 0;
    MPI_Datatype type = place->type;
    if (op->blocks == DUMMY) {
        buffer = op->kind == SEND ? place->base : run->scratch;
        elements = place->count;
    } else if (op->blocks > 0) {
        TRY(make_type(place, run->machine->blocks + op->first_block, op->blocks, &buffer, &elements, &type));
    }
    const int error = op->kind == SEND ? MPI_Isend(buffer, elements, type, op->peer, op->tag, run->comm, request)
                                       : MPI_Irecv(buffer, elements, type, op->peer, op->tag, run->comm, request);
    if (op->blocks > 1) MPI_Type_free(&type); /* the request keeps it as long as it needs it */
    return error;
}

/* Starts what waits for nothing, then what each completion lets start. */
static int run_operations(struct run *run) {
    const struct machine *machine = run->machine;
    for (int i = 0; i < machine->count; ++i) {
        run->waits[i] = machine->operations[i].waits;
        if (run->waits[i] == 0) TRY(start(run, i));
    }
    for (int left = machine->count; left > 0;) {
        int count = 0;
        TRY(MPI_Waitsome(run->pending, run->requests, &count, run->done, MPI_STATUSES_IGNORE));
        left -= count;
        for (int i = 0; i < count; ++i) {
            const struct operation *op = &machine->operations[run->operation_of[run->done[i]]];
            for (int a = op->first_after; a < op->first_after + op->afters; ++a)
                if (--run->waits[machine->after[a]] == 0) TRY(start(run, machine->after[a]));
        }
        int kept = 0;
        for (int i = 0; i < run->pending; ++i) {
            if (run->requests[i] == MPI_REQUEST_NULL) continue;
            run->requests[kept] = run->requests[i];
            run->operation_of[kept++] = run->operation_of[i];
        }
        run->pending = kept;
    }
    return MPI_SUCCESS;
}

static int run_machine(const struct machine *machine, struct place from, struct place to, MPI_Comm comm) {
    struct run run = {machine, from, to, NULL, MPI_COMM_NULL, NULL, NULL, NULL, NULL, 0};
    TRY(own_communicator(comm, &run.comm));
    MPI_Aint lower, extent;
    TRY(MPI_Type_get_extent(to.type, &lower, &extent));
    const size_t count = (size_t)machine->count + 1;
    char *const scratch = malloc((size_t)extent * (size_t)to.count + 1);
    run.requests = malloc(count * sizeof *run.requests);
    run.operation_of = malloc(3 * count * sizeof *run.operation_of);
    int error = MPI_ERR_NO_MEM;
    if (scratch != NULL && run.requests != NULL && run.operation_of != NULL) {
        run.scratch = scratch - lower;
        run.waits = run.operation_of + count;
        run.done = run.waits + count;
        error = run_operations(&run);
    }
    free(scratch);
    free(run.requests);
    free(run.operation_of);
    return error;
}
