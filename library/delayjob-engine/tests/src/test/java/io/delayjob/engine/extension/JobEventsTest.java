package io.delayjob.engine.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.JobEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@Isolated("reads what the whole JVM prints")
@ExtendWith(OutputCaptureExtension.class)
class JobEventsTest {

    @Test
    void makesNoEventWhereNobodyListens() {
        for (JobEvents unheard : List.of(
                JobEvents.onOwnThread(List.of(), kind -> true),
                JobEvents.onOwnThread(List.of(event -> {}), kind -> false))) {
            unheard.publish(JobEvent.Redriven.class, () -> {
                throw new AssertionError("made");
            });
        }
    }

    @Test
    void aTapHearsOfWhatItWantsWhetherOrNotSomebodyListens() {
        List<String> tapped = new ArrayList<>();
        EventTap tap = new EventTap() {
            @Override
            public boolean wants(Class<? extends JobEvent> kind) {
                return kind == JobEvent.Redriven.class;
            }

            @Override
            public void take(JobEvent event) {
                tapped.add(event.id());
            }

            @Override
            public void changed(QueueChange change) {
                tapped.add(change.queue() + " " + change.kind());
            }
        };
        JobEvents unheard = JobEvents.onOwnThread(List.of(), kind -> true, tap);
        unheard.publish(JobEvent.Redriven.class, () -> event("a"));
        unheard.publish(JobEvent.Cancelled.class, () -> {
            throw new AssertionError("made");
        });
        unheard.changed(new QueueChange(QueueChange.Kind.PAUSED, "q", null));
        assertThat(tapped).containsExactly("a", "q PAUSED");

        List<String> heard = new CopyOnWriteArrayList<>();
        JobEvents both = JobEvents.onOwnThread(List.of(event -> heard.add(event.id())), kind -> true, tap);
        both.publish(JobEvent.Redriven.class, () -> event("b"));
        assertThat(tapped).endsWith("b");
        await().until(() -> heard.equals(List.of("b")));
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
        events.publish(JobEvent.Redriven.class, () -> event("a"));
        events.publish(JobEvent.Redriven.class, () -> event("b"));
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
                kind -> true);
        IntStream.range(0, 10_100).forEach(i -> events.publish(JobEvent.Redriven.class, () -> event("job-" + i)));
        go.countDown();
        await().until(() -> heard.size() >= 10_000);
        assertThat(heard.subList(0, 3)).containsExactly("job-0", "job-1", "job-2");
        assertThat(heard).hasSizeLessThanOrEqualTo(10_001);
    }

    @Test
    void keepsRoomForRareEventsInAFloodOfOthers(CapturedOutput output) {
        CountDownLatch go = new CountDownLatch(1);
        List<String> dead = new CopyOnWriteArrayList<>();
        JobEvents events = JobEvents.onOwnThread(
                List.of(event -> {
                    awaitQuietly(go);
                    if (event instanceof JobEvent.Buried) {
                        dead.add(event.id());
                    }
                }),
                kind -> true);
        for (int i = 0; i < 40_000; i++) {
            String id = "job-" + i;
            events.publish(JobEvent.Completed.class, () -> completed(id));
            if (i % 2_000 == 0) {
                events.publish(JobEvent.Buried.class, () -> buried(id));
            }
        }
        go.countDown();
        await().until(() -> dead.size() == 20);
        assertThat(events.dropped(JobEvent.Buried.class)).isZero();
        assertThat(events.dropped(JobEvent.Completed.class)).isBetween(29_999L, 30_000L);
        assertThat(output)
                .containsOnlyOnce(
                        "job events are dropped because the listeners are too slow; dropped so far: 1 Completed");
    }

    private static JobEvent.Completed completed(String id) {
        return new JobEvent.Completed("orders", id, "send", 1, Duration.ZERO);
    }

    private static JobEvent.Buried buried(String id) {
        return new JobEvent.Buried("orders", id, "send", 1, "broken", null, "{}");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static JobEvent.Redriven event(String id) {
        return new JobEvent.Redriven("orders", id);
    }
}
