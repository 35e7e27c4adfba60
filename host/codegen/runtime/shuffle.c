/* Packets of one machine: `to` and `from` list its partners in the order of a round. A packet is sent while fewer than
   WINDOW (if it is not 0) are sent and not yet matched by one received; the receives of a round ahead are posted. */
struct partners {
    int to[STEPS], from[STEPS];
};

struct packet {
    int offset, bytes;
};

/* Of the n-th packet to or from `partner`, in a buffer with `bytes` for each machine. */
static struct packet packet_of(int partner, int n, int bytes) {
    const int start = n / STEPS * PACKET;
    struct packet packet = {partner * bytes + start, bytes - start < PACKET ? bytes - start : PACKET};
    return packet;
}

static int run_shuffle(const struct partners *partners, char *out, char *in, int bytes, MPI_Comm comm) {
    const int total = (bytes + PACKET - 1) / PACKET * STEPS;
    MPI_Request coming[STEPS], open[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int posted = 0, received = 0, sent = 0;
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
