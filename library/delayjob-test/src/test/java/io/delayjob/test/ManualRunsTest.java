package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobProducer;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.ManualRuns;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** The engine's part in running by hand. */
@DelayJobTest(classes = Notes.class)
class ManualRunsTest {

    @Autowired
    private DelayJobEngine engine;

    @Autowired
    private DelayJobProducer producer;

    @Test
    void losesNoJobThatIsSubmittedBetweenTheLastRunAndTheQuestionForTheNext() {
        ManualRuns runs = engine.manualRuns();
        assertThat(runs.runOne()).isFalse();
        producer.submitDelayJob(Notes.class, "tea", Duration.ZERO);

        assertThat(runs.millisToNext()).hasValue(0);

        assertThat(runs.runOne()).isTrue();
        assertThat(runs.millisToNext()).isEmpty();
    }
}
