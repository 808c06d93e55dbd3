package io.delayjob.client.beans;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.QueueCounts;
import io.delayjob.client.TestServer;
import io.delayjob.client.beans.CalledProcess.Ran;
import io.delayjob.delivery.DelayJobClients;
import io.delayjob.testing.RealRedis;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs of an application that is called back, whose processes are killed again and again while they run them. {@code -Ddelayjob.account.jobs=5000}
 * makes it 5,000 jobs.
 */
@Tag("proof")
@RealRedis
class CallbackAccountsIT {

    private static final int JOBS = Integer.getInteger("delayjob.account.jobs", 150);
    private static final long SEED = Long.getLong("delayjob.account.seed", System.nanoTime());
    private static final int PROCESSES = 3;
    private static final Duration APART = Duration.ofMillis(20);

    /** After how many runs the next process is killed. */
    private static final int KILLED_EVERY = Math.max(40, JOBS / 50);

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String TOPIC = CalledProcess.APPLICATION + "-" + CalledProcess.TYPE;

    private final Random random = new Random(SEED);

    /** By id: the job must not run before this, by the clock of this machine, which is Redis' as well. */
    private final Map<String, Long> due = new ConcurrentHashMap<>();

    private int kills;

    @TempDir
    Path folder;

    @Test
    void everyJobRunsAndNoneEarlyThoughTheProcessesThatAreCalledAreKilled() {
        try (TestServer server = new TestServer(
                "delayjob.delivery.http.open-networks=127.0.0.1",
                "delayjob.retention.time=1h",
                "delayjob.backoff.initial=100ms")) {
            List<CalledProcess> processes = IntStream.range(0, PROCESSES)
                    .mapToObj(i -> new CalledProcess(folder, server.settings()))
                    .toList();
            try {
                processes.forEach(CalledProcess::start);
                await().atMost(TIMEOUT)
                        .until(() -> server.bean(DelayJobClients.class).list().size() == PROCESSES);
                CompletableFuture<Void> submits = CompletableFuture.runAsync(() -> submitAll(server));
                await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(50)).until(() -> {
                    killNext(processes);
                    return server.admin().counts(TOPIC).finished() == JOBS;
                });
                submits.join();
                check(server, ran(processes));
            } finally {
                processes.forEach(CalledProcess::close);
            }
        }
    }

    private void submitAll(TestServer server) {
        Instant start = Instant.now().plusSeconds(1);
        for (int i = 0; i < JOBS; i++) {
            submit(server, "j" + i, start.plus(APART.multipliedBy(i)));
        }
    }

    private void submit(TestServer server, String id, Instant at) {
        Instant now = Instant.now();
        Duration delay = at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO;
        due.put(id, now.plus(delay).toEpochMilli());
        var unused = server.bean(DelayJobProducer.class)
                .submit(DelayJobRequest.toTopic(TOPIC, id).withQueue(TOPIC).withId(id), delay);
    }

    private void killNext(List<CalledProcess> processes) {
        int runs = ran(processes).size();
        if (runs / KILLED_EVERY > kills && runs < JOBS) {
            CalledProcess doomed = processes.get(random.nextInt(PROCESSES));
            kills++;
            doomed.kill();
            doomed.start();
        }
    }

    private static List<Ran> ran(List<CalledProcess> processes) {
        return processes.stream().flatMap(process -> process.ran().stream()).toList();
    }

    private void check(TestServer server, List<Ran> ran) {
        Map<String, List<Ran>> byJob = ran.stream().collect(groupingBy(Ran::id));
        long again = byJob.values().stream().filter(runs -> runs.size() > 1).count();
        List<Ran> early = ran.stream()
                .filter(run -> run.beganMillis() < due.getOrDefault(run.id(), 0L))
                .toList();
        System.out.printf(
                "account of an application that is called back: %d jobs, %d ran, %d of them more than once, %d in a later attempt, %d early; "
                        + "%d processes killed (seed %d)%n",
                JOBS,
                byJob.size(),
                again,
                ran.stream().filter(run -> run.attempt() > 1).count(),
                early.size(),
                kills,
                SEED);
        assertThat(byJob.keySet()).isEqualTo(due.keySet());
        assertThat(early).isEmpty();
        // A job that ran once more did so in another attempt: the process of the one before did not answer.
        assertThat(byJob.values())
                .allSatisfy(runs -> assertThat(runs.stream().map(Ran::attempt)).doesNotHaveDuplicates());
        assertThat(kills).isPositive();
        QueueCounts counts = server.admin().counts(TOPIC);
        assertThat(counts.delayed() + counts.ready() + counts.reserved() + counts.dead())
                .isZero();
    }
}
