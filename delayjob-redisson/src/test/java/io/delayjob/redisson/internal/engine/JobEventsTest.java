package io.delayjob.redisson.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.JobEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JobEventsTest {

    @Test
    void makesNoEventWhereNobodyListens() {
        for (JobEvents unheard : List.of(
                JobEvents.onOwnThread(List.of(), () -> true),
                JobEvents.onOwnThread(List.of(event -> {}), () -> false))) {
            unheard.publish(() -> {
                throw new AssertionError("made");
            });
        }
    }

    @Test
    void tellsEveryListenerInOrderAlsoWhenOneFails() {
        List<String> heard = new ArrayList<>();
        JobEvents events = JobEvents.onCallersThread(List.of(
                event -> heard.add("first " + event.id()),
                event -> {
                    throw new IllegalStateException("broken listener");
                },
                event -> heard.add("last " + event.id())));
        events.publish(() -> event("a"));
        events.publish(() -> event("b"));
        assertThat(heard).containsExactly("first a", "last a", "first b", "last b");
    }

    @Test
    void dropsWhatASlowListenerCannotTakeAndBlocksNobody() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        List<String> heard = new CopyOnWriteArrayList<>();
        JobEvents events = JobEvents.onOwnThread(
                List.of(event -> {
                    awaitQuietly(go);
                    heard.add(event.id());
                }),
                () -> true);
        IntStream.range(0, 10_100).forEach(i -> events.publish(() -> event("job-" + i)));
        go.countDown();
        await().until(() -> heard.size() >= 10_000);
        assertThat(heard.subList(0, 3)).containsExactly("job-0", "job-1", "job-2");
        assertThat(heard).hasSizeLessThanOrEqualTo(10_001);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static JobEvent event(String id) {
        return new JobEvent.Redriven("orders", id);
    }
}
