package io.delayjob.engine.internal.running;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Attempt;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.ExceptionRules;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AdmissionTest {

    private final Admission admission = new Admission(TestSettings.defaults());

    @Test
    void aTimeToLiveEndsOnlyWhatHasNotBegun() {
        assertThat(refusal(999, false)).isNull();
        assertThat(refusal(1001, false)).startsWith("did not begin within its time to live of PT1S: 1001 ms after");
        assertThat(refusal(1001, true)).isNull();
    }

    private @Nullable String refusal(long lateMillis, boolean begun) {
        Attempt first = new Attempt(1, 5000L, 5000L, null);
        Claimed.Job job =
                new Claimed.Job(new Lease("a", "1:r"), "{}", first, null, 0, false, begun, (5000 + lateMillis) * 1000);
        AttemptPolicy policy = new AttemptPolicy(
                3, TestSettings.defaults().backoff(), null, Duration.ofSeconds(1), ExceptionRules.NONE);
        return admission.refusal(job, policy);
    }
}
