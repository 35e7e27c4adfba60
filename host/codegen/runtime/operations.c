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

struct run {
    const struct machine *machine;
    const struct place *from, *to;
    char *memory; /* where dummies go, */
    MPI_Aint scratch; /* and what MPI is told of that */
    MPI_Comm comm;
    MPI_Request *requests;
    int *operation_of, *waits, *done;
    int pending;
};

/* Memory for `count` elements in a row, with all their bytes, some of which may lie outside of the type's extent:
   `memory` is what to free, `base` what MPI is told. */
static int allocate(MPI_Aint count, MPI_Datatype type, char **memory, MPI_Aint *base) {
    MPI_Aint lower = 0, extent = 0, first = 0, bytes = 0;
    TRY(MPI_Type_get_extent(type, &lower, &extent));
    TRY(MPI_Type_get_true_extent(type, &first, &bytes));
    const MPI_Aint last = count > 0 ? (count - 1) * extent : 0; /* extents may be negative */
    *memory = (char *)malloc((size_t)(bytes + (last < 0 ? -last : last)) + 1);
    if (*memory == NULL) return MPI_ERR_NO_MEM;
    *base = (MPI_Aint)*memory - first - (last < 0 ? last : 0);
    return MPI_SUCCESS;
}

/* One block as it is; several as one type that names their places. */
static int make_type(const struct place *place, const int *blocks, int count, char **start, int *elements,
                     MPI_Datatype *type) {
    if (count == 1) {
        *start = element_at(place, blocks[0], 0);
        *elements = place->count;
        *type = place->type;
        return MPI_SUCCESS;
    }
    MPI_Datatype one;
    MPI_Aint *displacements = (MPI_Aint *)malloc((size_t)count * sizeof *displacements);
    if (displacements == NULL) return MPI_ERR_NO_MEM;
    for (int i = 0; i < count; ++i) displacements[i] = offset_of(place, blocks[i], 0);
    int error = MPI_Type_contiguous(place->count, place->type, &one);
    if (error == MPI_SUCCESS) {
        error = MPI_Type_create_hindexed_block(count, 1, displacements, one, type);
        MPI_Type_free(&one);
    }
    free(displacements);
    if (error == MPI_SUCCESS) error = MPI_Type_commit(type);
    *start = element_at(place, 0, 0);
    *elements = 1;
    return error;
}

static int start(struct run *run, int index) {
    const struct operation *op = &run->machine->operations[index];
    MPI_Request *request = &run->requests[run->pending];
    run->operation_of[run->pending++] = index;
    if (op->kind == BARRIER) return MPI_Ibarrier(run->comm, request);
    const struct place *place = op->kind == SEND ? run->from : run->to;
    char *buffer = element_at(place, 0, 0);
    int elements = 0;
    MPI_Datatype type = place->type;
    if (op->blocks == DUMMY) {
        elements = place->count;
        if (op->kind == RECEIVE && run->memory == NULL)
            TRY(allocate(elements, type, &run->memory, &run->scratch));
        if (op->kind == RECEIVE) buffer = (char *)run->scratch;
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

static int run_machine(const struct machine *machine, const struct place *from, const struct place *to, MPI_Comm comm) {
    struct run run = {machine, from, to, NULL, 0, MPI_COMM_NULL, NULL, NULL, NULL, NULL, 0};
    TRY(own_communicator(comm, &run.comm));
    const size_t count = (size_t)machine->count + 1;
    run.requests = (MPI_Request *)malloc(count * sizeof *run.requests);
    run.operation_of = (int *)malloc(3 * count * sizeof *run.operation_of);
    int error = MPI_ERR_NO_MEM;
    if (run.requests != NULL && run.operation_of != NULL) {
        run.waits = run.operation_of + count;
        run.done = run.waits + count;
        error = run_operations(&run);
    }
    free(run.memory);
    free(run.requests);
    free(run.operation_of);
    return error;
}
