package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.testing.OwnRedis;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Connections that die under load take no memory of Netty's pool along. Netty says which buffers nobody released when they are collected. */
@Tag("proof")
class BufferLeaksIT {

    private static final int DEATHS = 5;

    private final Logger log = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    private final ListAppender<ILoggingEvent> reports = new ListAppender<>();
    private final ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
    private final OwnRedis redis = OwnRedis.start("--appendonly", "yes");
    private final String queue = TestSettings.queue();

    @BeforeEach
    void watch() {
        reports.start();
        log.addAppender(reports);
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    @AfterEach
    void close() {
        ResourceLeakDetector.setLevel(before);
        log.detachAppender(reports);
        redis.close();
    }

    @Test
    void noBufferOfACallIsLostWithItsConnection() {
        NoteJob job = new NoteJob();
        AtomicBoolean over = new AtomicBoolean();
        try (TestNode node = TestNode.start(redis.url(), queue, job)) {
            Thread load = new Thread(() -> submitUntil(over, node.producer()), "load");
            load.start();
            for (int death = 0; death < DEATHS; death++) {
                int ran = job.seen().size();
                await().atMost(TestSettings.SOON).until(() -> job.seen().size() > ran + 500);
                redis.kill();
                redis.restart();
            }
            over.set(true);
            await().atMost(TestSettings.SOON).until(() -> !load.isAlive());
        }
        for (int collection = 0; collection < 10; collection++) {
            System.gc();
            // The detector looks for collected buffers when another one is made.
            ByteBufAllocator.DEFAULT.buffer().release();
        }
        assertThat(reports.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(report -> report.contains("io.delayjob."))
                .isEmpty();
    }

    private void submitUntil(AtomicBoolean over, DelayJobProducer producer) {
        while (!over.get()) {
            List<DelayJobRequest<Note>> some = IntStream.range(0, 50)
                    .mapToObj(n ->
                            DelayJobRequest.of(NoteJob.class, new Note("x", n)).withQueue(queue))
                    .toList();
            // Submits that fail while Redis is down do not concern this test.
            producer.submitAllAsync(some, request -> Duration.ZERO)
                    .exceptionally(failure -> List.of())
                    .join();
        }
    }
}
