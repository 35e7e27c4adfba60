/* Packets of one machine: `to` and `from` list its partners in the order of a round. A packet is sent while fewer than
   WINDOW (if it is not 0) are sent and not yet matched by one received; the receives of a round ahead are posted. */
struct partners {
    int to[STEPS], from[STEPS];
};

struct packet {
    MPI_Aint offset;
    int bytes;
};

/* Of the n-th packet to or from `partner`, in a buffer with `bytes` for each machine. */
static struct packet packet_of(int partner, MPI_Aint n, MPI_Aint bytes) {
    const MPI_Aint start = n / STEPS * PACKET;
    const struct packet packet = {partner * bytes + start, bytes - start < PACKET ? (int)(bytes - start) : PACKET};
    return packet;
}

static int run_shuffle(const struct partners *partners, char *out, char *in, MPI_Aint bytes, MPI_Comm comm) {
    const MPI_Aint total = (bytes + PACKET - 1) / PACKET * STEPS;
    MPI_Request coming[STEPS], open[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Aint posted = 0, received = 0, sent = 0;
    while (received < total || sent < total) {
        for (; posted < total && posted - received < STEPS; ++posted) {
            const int from = partners->from[posted % STEPS];
            const struct packet packet = packet_of(from, posted, bytes);
            TRY(MPI_Irecv(in + packet.offset, packet.bytes, MPI_BYTE, from, 0, comm, &coming[posted % STEPS]));
        }
        if (open[1] == MPI_REQUEST_NULL && sent < total && (WINDOW == 0 || sent - received < WINDOW)) {
            const int to = partners->to[sent % STEPS];
            const struct packet packet = packet_of(to, sent, bytes);
            TRY(MPI_Isend(out + packet.offset, packet.bytes, MPI_BYTE, to, 0, comm, &open[1]));
        }
        int which = 0;
        open[0] = received < total ? coming[received % STEPS] : MPI_REQUEST_NULL;
        TRY(MPI_Waitany(2, open, &which, MPI_STATUS_IGNORE));
        if (which == 0)
            ++received;
        else
            ++sent;
    }
    return MPI_SUCCESS;
}

/* The bytes of one element, all of which MPI has to be able to count. */
static int element_bytes(const struct place *place, int *bytes) {
    TRY(MPI_Type_size(place->type, bytes));
    return *bytes < 0 ? MPI_ERR_COUNT : MPI_SUCCESS;
}

enum direction { PACK, UNPACK };

/* A block becomes bytes, or bytes a block: as many elements at a time as MPI counts the bytes of. */
static int convert(enum direction direction, const struct place *place, int block, char *bytes, MPI_Comm comm) {
    int element = 0;
    TRY(element_bytes(place, &element));
    const int most = element > 0 ? INT_MAX / element : INT_MAX;
    for (int done = 0; done < place->count;) {
        const int count = place->count - done < most ? place->count - done : most;
        char *const buffer = element_at(place, block, done);
        char *const part = bytes + (MPI_Aint)done * element;
        int position = 0;
        TRY(direction == PACK
                ? MPI_Pack(buffer, count, place->type, part, count * element, &position, comm)
                : MPI_Unpack(part, count * element, &position, buffer, count, place->type, comm));
        done += count;
    }
    return MPI_SUCCESS;
}
