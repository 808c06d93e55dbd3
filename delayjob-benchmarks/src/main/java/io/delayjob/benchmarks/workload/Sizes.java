package io.delayjob.benchmarks.workload;

import java.time.Duration;
import java.util.List;

/**
 * How large the workloads are.
 *
 * @param runs how often what is noisy is repeated; less if a run takes long
 * @param warmUp jobs that run before anything counts
 * @param burst jobs of a burst
 * @param pending how many far jobs wait during a burst, ascending
 * @param singles jobs that one thread submits one by one; 64 threads submit ten times as many
 * @param bulk jobs that are submitted in bulk
 * @param steadySeconds how long a steady load lasts; the quiet ones last twice as long
 * @param drain jobs that are overdue after a downtime
 * @param waiting jobs whose memory is measured
 * @param idleSeconds how long an idle node is watched
 * @param limit how long a run may take
 */
public record Sizes(
        int runs,
        int warmUp,
        int burst,
        List<Integer> pending,
        int singles,
        int bulk,
        int steadySeconds,
        int drain,
        int waiting,
        int idleSeconds,
        Duration limit) {

    /** Those of the page. */
    public static Sizes full() {
        return new Sizes(
                3,
                20_000,
                100_000,
                List.of(0, 100_000, 1_000_000),
                5_000,
                200_000,
                15,
                1_000_000,
                100_000,
                20,
                Duration.ofSeconds(30));
    }

    /** For a look in between. */
    public static Sizes quick() {
        return new Sizes(
                1, 10_000, 50_000, List.of(0, 200_000), 2_000, 50_000, 5, 200_000, 50_000, 5, Duration.ofSeconds(15));
    }

    /** Just enough to see that it works. */
    public static Sizes smoke() {
        return new Sizes(1, 200, 1_000, List.of(0, 1_000), 50, 1_000, 1, 1_000, 1_000, 1, Duration.ofSeconds(20));
    }
}
