package io.delayjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobRequest;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.WorkerThreads;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.engine.settings.ConsumeSettings;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.NodeQueues;
import io.delayjob.engine.settings.SubmitSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which queues a node consumes. */
class ConsumedQueuesTest {

    private static final Duration ANY = Duration.ofMinutes(1);

    private static DelayJobEngine engine(boolean consumes, Handler... handlers) {
        return new DelayJobEngine(
                new EngineSettings(
                        "n",
                        new NodeQueues("default", TestSettings.defaults(), Map.of("mails", TestSettings.defaults())),
                        new SubmitSettings(1000, ANY, false),
                        new ConsumeSettings(consumes, ANY, ANY)),
                new MemoryBackend(System::currentTimeMillis, true),
                new HandlerRegistry(() -> List.of(handlers)),
                TestSettings.PARAMS,
                WorkerThreads.PLATFORM,
                Extensions.NONE);
    }

    @Test
    void areAllOfANodeThatHasAHandler() {
        try (DelayJobEngine engine = engine(true, TestSettings.registered(new NoteJob()))) {
            assertThat(engine.consumedQueues()).containsExactly("default", "mails");
        }
    }

    @Test
    void areNoneOfANodeWithoutAHandlerThoughItStillKnowsThem() {
        try (DelayJobEngine engine = engine(true)) {
            assertThat(engine.consumedQueues()).isEmpty();
            assertThat(engine.queueNames()).containsExactly("default", "mails");
            assertThat(engine.consumes()).isTrue();
        }
    }

    @Test
    void areNoneOfANodeThatOnlySubmits() {
        try (DelayJobEngine engine = engine(false, TestSettings.registered(new NoteJob()))) {
            assertThat(engine.consumedQueues()).isEmpty();
        }
    }

    @Test
    void areNotTouchedByHandEitherWhereThereIsNoHandler() {
        try (DelayJobEngine engine = engine(true)) {
            ManualRuns runs = engine.manualRuns();
            engine.producer()
                    .submitDelayJob(
                            DelayJobRequest.toTopic("any", new Note("a", 1)).withId("a"), Duration.ZERO);
            assertThat(runs.runOne()).isFalse();
            assertThat(engine.admin().find("default", "a"))
                    .hasValueSatisfying(job -> assertThat(job.lastError()).isNull());
        }
    }
}
