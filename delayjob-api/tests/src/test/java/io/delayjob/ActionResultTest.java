package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ActionResultTest {

    @Test
    void readsAsASentence() {
        assertThat(ActionResult.done(JobState.DELAYED)).hasToString("done, the job was DELAYED");
        assertThat(ActionResult.refused(JobState.DEAD)).hasToString("refused, the job is DEAD");
        assertThat(ActionResult.NO_SUCH_JOB).hasToString("no such job");
    }
}
