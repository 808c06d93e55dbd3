package io.delayjob.engine.internal.consuming;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.TelemetryLog;
import io.delayjob.engine.ledger.Attempt;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.ShardId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@Isolated("reads what the whole JVM prints")
@ExtendWith(OutputCaptureExtension.class)
class DoorbellWatchTest {

    private final TelemetryLog log = new TelemetryLog();
    private final DoorbellWatch watch = new DoorbellWatch(new ShardId("q", 0), log.queue("q"));

    @Test
    void warnsOnceAMinuteOfJobsThatTheAlarmFoundLate(CapturedOutput output) {
        watch.alarmFound(claimed(1, 501, null));
        watch.alarmFound(claimed(1, 502, null));
        assertThat(output.getOut()).containsOnlyOnce("did not ring").contains("501 ms");
        assertThat(log.lines()).containsExactly("q late doorbell", "q late doorbell");
    }

    @Test
    void saysNothingOfJobsThatAreLateForAnotherReason(CapturedOutput output) {
        watch.alarmFound(claimed(1, 500, null));
        watch.alarmFound(claimed(2, 5000, null));
        watch.alarmFound(claimed(1, 5000, 1L));
        watch.alarmFound(new Claimed(List.of(), Claimed.Mode.QUIET, null, 1, true));
        watch.alarmFound(new Claimed(claimed(1, 5000, null).jobs(), Claimed.Mode.BUSY, null, 1, true));
        assertThat(output.getOut()).doesNotContain("did not ring");
        assertThat(log.lines()).isEmpty();
    }

    private static Claimed claimed(int attempt, long late, @Nullable Long noHandlerSince) {
        Claimed.Job job = new Claimed.Job(
                new Lease("a", "1:r"),
                "{}",
                new Attempt(attempt, 10_000L, 10_000 + late, noHandlerSince),
                null,
                0,
                false,
                false,
                (10_000 + late) * 1000);
        return new Claimed(List.of(job), Claimed.Mode.QUIET, null, 1, true);
    }
}
