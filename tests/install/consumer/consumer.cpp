#include <interlace/experiment/kinds/broadcast.h>

int main() {
    interlace::BroadcastExperiment experiment;
    experiment.network = "torus:4x4";
    experiment.packets = 4;
    return interlace::run_broadcast(experiment).run.steps == 6 ? 0 : 1;  // eq. 5: 2 * 3 + 4 / 4 - 1
}
