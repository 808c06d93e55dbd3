package io.delayjob.server.console.internal.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.JobOptions;
import io.delayjob.JobPage;
import io.delayjob.JobQuery;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.TimeRange;
import io.delayjob.server.console.internal.jobs.Turns.Looked;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TurnsTest {

    private final List<JobSnapshot> seen = new ArrayList<>();

    private Map<String, Looked> look(Map<String, Long> queues, long most) {
        return Turns.of(
                        admin(queues),
                        queues.keySet().stream().sorted().toList(),
                        List.of(JobState.DEAD),
                        TimeRange.ANY,
                        seen::add,
                        most,
                        Duration.ofMinutes(5))
                .join();
    }

    @Test
    void leavesASmallQueueItsShareBehindALargeOne() {
        Map<String, Looked> looked = look(Map.of("a", 36_000L, "b", 7L, "c", 2_500L), 20_000);

        assertThat(looked)
                .containsEntry("a", new Looked("a", 17_493, false))
                .containsEntry("b", new Looked("b", 7, true))
                .containsEntry("c", new Looked("c", 2_500, true));
        assertThat(seen).hasSize(20_000).doesNotHaveDuplicates();
    }

    @Test
    void looksAtAPartOfEveryQueueIfThereAreManyQueues() {
        Map<String, Looked> looked = look(Map.of("a", 900L, "b", 900L, "c", 900L, "d", 900L), 1_000);

        assertThat(looked.values()).allSatisfy(its -> assertThat(its.examined()).isEqualTo(250));
    }

    @Test
    void looksAtNothingIfThereIsNoQueue() {
        assertThat(look(Map.of(), 1_000)).isEmpty();
    }

    /** An admin of dead jobs, so many for each queue. */
    private static AsyncDelayJobAdmin admin(Map<String, Long> queues) {
        return (AsyncDelayJobAdmin) Proxy.newProxyInstance(
                TurnsTest.class.getClassLoader(),
                new Class<?>[] {AsyncDelayJobAdmin.class},
                (proxy, method, arguments) -> CompletableFuture.completedFuture(page(queues, (JobQuery) arguments[0])));
    }

    private static JobPage page(Map<String, Long> queues, JobQuery query) {
        long count = queues.get(query.queue());
        long from = query.cursor() == null ? 0 : Long.parseLong(query.cursor());
        long to = Math.min(count, from + query.limit());
        List<JobSnapshot> jobs = LongStream.range(from, to)
                .mapToObj(number -> job(query.queue(), number))
                .toList();
        return new JobPage(jobs, to == count ? null : String.valueOf(to));
    }

    private static JobSnapshot job(String queue, long number) {
        return BareJobs.of(queue, String.valueOf(number), "t", JobState.DEAD, 1, JobOptions.NONE, "null");
    }
}
