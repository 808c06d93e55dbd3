package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.Waits;
import java.time.Duration;
import java.util.List;

/** How large the workloads are. */
public enum Size {
    /** Sizes of the measurements on the page of the documentation. */
    FULL,
    /** For a look in between. */
    QUICK,
    /** Just enough to see that it works. */
    SMOKE;

    private <T> T of(T full, T quick, T smoke) {
        return switch (this) {
            case FULL -> full;
            case QUICK -> quick;
            case SMOKE -> smoke;
        };
    }

    /** How often noisy measurements are repeated. */
    int runs() {
        return of(3, 1, 1);
    }

    /** Jobs that warm up a contender, if it is fast enough. */
    int warmUp() {
        return of(400_000, 200_000, 200);
    }

    /** Jobs that warm up a server and its client, if they are fast enough. */
    int warmUpOverHttp() {
        return of(2_000_000, 400_000, 200);
    }

    /** Jobs of a burst. */
    int burst() {
        return of(100_000, 50_000, 1000);
    }

    /** Jobs of a burst of a slow contender. */
    int burstOfSlow() {
        return of(10_000, 5000, 1000);
    }

    /** Jobs of ten keys that run one at a time. */
    int turns() {
        return of(5000, 2000, 50);
    }

    /** Jobs of a burst of which each request claims or settles one. */
    int burstOneByOne() {
        return of(5000, 5000, 1000);
    }

    /** Jobs of a burst whose params are larger than usual. */
    int burstOfLargerParams() {
        return of(20_000, 10_000, 200);
    }

    /** How often each script is measured alone. */
    int calls() {
        return of(200, 50, 3);
    }

    /** Within what time the jobs of a burst become due. */
    int spreadMillis() {
        return of(1000, 1000, 100);
    }

    /** How many far jobs wait during a burst, ascending. */
    List<Integer> pending() {
        return of(List.of(0, 100_000, 1_000_000), List.of(0, 200_000), List.of(0, 1000));
    }

    /** Jobs that one thread submits one by one; 64 threads submit ten times as many. */
    int singles() {
        return of(5000, 2000, 50);
    }

    /** Jobs that are submitted in bulk. */
    int bulk() {
        return of(200_000, 50_000, 1000);
    }

    /** How long a steady load lasts, s; a quiet one lasts twice as long. */
    int steadySeconds() {
        return of(15, 5, 1);
    }

    /** Jobs per second of the steady loads. */
    List<Integer> rates() {
        return of(List.of(10, 50, 100, 200, 1000, 5000), List.of(10, 50, 200, 1000, 5000), List.of(200));
    }

    /** Jobs per second of the steady loads on several nodes. */
    List<Integer> ratesOfFleet() {
        return of(List.of(10, 50, 200), List.of(50, 200), List.of(100));
    }

    /** Jobs per second of the steady loads over HTTP. */
    List<Integer> ratesOverHttp() {
        return of(List.of(10, 50, 200), List.of(50, 200), List.of(100));
    }

    /** How many queues nodes run together. */
    int queues() {
        return of(300, 300, 10);
    }

    /** Jobs with large params. */
    int large() {
        return of(3000, 1000, 20);
    }

    /** How many polls wait at a server. */
    int polls() {
        return of(10_000, 10_000, 200);
    }

    /** Over how many queues they are spread. */
    int pollsQueues() {
        return of(100, 100, 10);
    }

    /** How many browsers watch a console, ascending. */
    List<Integer> tabs() {
        return of(List.of(1, 20, 200), List.of(1, 20, 200), List.of(1, 5));
    }

    /** Among how many waiting jobs is searched. */
    int searched() {
        return of(1_000_000, 100_000, 1000);
    }

    /** Dead jobs beside them. */
    int dead() {
        return of(5000, 1000, 50);
    }

    /** Among how many jobs that have ended is searched. */
    int ended() {
        return of(5_000_000, 200_000, 1000);
    }

    /** How often something is searched for. */
    int searches() {
        return of(40, 20, 3);
    }

    /** How often a program is started. */
    int starts() {
        return of(7, 3, 1);
    }

    /** How often a page is opened. */
    int looks() {
        return of(20, 5, 1);
    }

    /** Jobs that one thread submits in transactions; 64 threads submit five times as many. */
    int committed() {
        return of(4000, 1000, 50);
    }

    /** Jobs that an emptied Redis gets back. */
    int rebuilt() {
        return of(1_000_000, 100_000, 1000);
    }

    /** Jobs that wait in a database alone. */
    int far() {
        return of(10_000_000, 500_000, 1000);
    }

    /** Far jobs that come to Redis at once. */
    int relayed() {
        return of(100_000, 50_000, 1000);
    }

    /** Jobs of Redis that are compared with their rows. */
    int compared() {
        return of(150_000, 50_000, 1000);
    }

    /** The longest delay of a steady load. */
    int maxDelayMillis() {
        return of(5000, 5000, 500);
    }

    /** Jobs that are overdue after a downtime. */
    int drain() {
        return of(1_000_000, 200_000, 1000);
    }

    /** Jobs whose memory is measured. */
    int waiting() {
        return of(100_000, 50_000, 1000);
    }

    /** How long an idle node is watched, s. */
    int idleSeconds() {
        return of(20, 10, 1);
    }

    /** Schedules whose instants are far away. */
    int idleSchedules() {
        return of(10_000, 10_000, 100);
    }

    /** Schedules that have the same instant. */
    int schedules() {
        return of(100_000, 20_000, 200);
    }

    /** Settings of the append-only file. */
    List<String> fsyncs() {
        return of(List.of("off", "everysec", "always"), List.of("off", "always"), List.of("always"));
    }

    /** How many nodes are idle together. */
    List<Integer> idleNodes() {
        return of(List.of(1, 3), List.of(1, 3), List.of(2));
    }

    /** How many nodes a fleet has. */
    int fleet() {
        return of(3, 3, 2);
    }

    /** How many nodes a fleet has of which one alone has a bean. */
    int mixedFleet() {
        return of(4, 4, 2);
    }

    /** Over how many nodes a burst is scaled. */
    List<Integer> nodes() {
        return of(List.of(1, 2, 3), List.of(1, 3), List.of(2));
    }

    /** Over how many shards a burst is scaled. */
    List<Integer> shards() {
        return of(List.of(1, 2, 4), List.of(1, 4), List.of(2));
    }

    /** How long a run may take. */
    Duration limit() {
        return of(Duration.ofSeconds(30), Duration.ofSeconds(15), Waits.PATIENCE);
    }
}
