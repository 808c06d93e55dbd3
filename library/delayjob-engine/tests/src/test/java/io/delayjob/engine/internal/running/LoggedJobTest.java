package io.delayjob.engine.internal.running;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.LedgersByHand;
import io.delayjob.engine.ledger.Lease;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class LoggedJobTest {

    private final Run run = new Run(LedgersByHand.handedOut(new Lease("a", "1:r"), 2), 30_000, System.nanoTime());

    @BeforeEach
    @AfterEach
    void clear() {
        MDC.clear();
    }

    @Test
    void namesTheJobAndLeavesNothingBehind() {
        LoggedJob logged = new LoggedJob("orders", run);
        assertThat(MDC.getCopyOfContextMap())
                .isEqualTo(Map.of("delayjob.queue", "orders", "delayjob.id", "a", "delayjob.attempt", "2"));
        MDC.put("left", "by the job");
        logged.end();
        assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
    }

    @Test
    void bringsBackWhatWasThereBefore() {
        MDC.put("caller", "test");
        LoggedJob logged = new LoggedJob("orders", run);
        assertThat(MDC.get("caller")).isEqualTo("test");
        MDC.remove("caller");
        logged.end();
        assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("caller", "test"));
    }
}
