package io.delayjob.journal.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.SubmitResult;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.test.DelayJobMode;
import io.delayjob.test.DelayJobTest;
import io.delayjob.test.SubmittedJobs;
import io.delayjob.test.VirtualClock;
import io.delayjob.test.WithDelayJobMode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with a journal, on the virtual clock. */
@DelayJobTest(properties = {"spring.datasource.url=jdbc:h2:mem:till", "delayjob.journal.horizon=10m"})
class TillOnVirtualClockIT {

    @Autowired
    private Till till;

    @Autowired
    private Purchases purchases;

    @Autowired
    private DelayJobAdmin admin;

    @Autowired
    private VirtualClock clock;

    @Autowired
    private SubmittedJobs jobs;

    @Autowired
    private TransactionTemplate transaction;

    @Test
    void runsAtItsTimeAfterTheCommit() {
        clock.startAt(Instant.parse("2031-05-01T09:00:00Z"));
        transaction.executeWithoutResult(status -> {
            assertThat(till.buy("tea", Till.LATER).outcome()).isEqualTo(SubmitResult.Outcome.DEFERRED);
            jobs.assertNothingSubmitted();
            assertThat(admin.find("default", "tea")).isEmpty();
        });

        jobs.assertSubmitted("thank").withId("tea").dueIn(Till.LATER).withOutcome(SubmitResult.Outcome.STORED);
        assertThat(admin.find("default", "tea")).isPresent();
        clock.advance(Duration.ofMinutes(59));
        assertThat(till.thanked()).doesNotContain("tea");
        clock.advance(Duration.ofMinutes(1));
        assertThat(till.thanked()).contains("tea");
        jobs.assertNoneFailed();
    }

    @Test
    void aRollbackLeavesNothing() {
        assertThatThrownBy(() -> till.buyAndFail("milk")).hasMessage("no stock of milk");

        jobs.assertNothingSubmitted();
        assertThat(clock.drain()).isZero();
        assertThat(purchases.existsById("milk")).isFalse();
    }

    @Test
    @WithDelayJobMode(DelayJobMode.INLINE)
    void runsInlineAfterTheCommit() {
        till.buy("salt", Till.LATER);

        assertThat(till.thanked()).contains("salt");
    }

    @Test
    void refusesAReadOnlyTransaction() {
        assertThatThrownBy(() -> till.look("rice"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("Till.look is read-only", "delayjob.queues.default.journal.mode=off");
    }

    @Test
    void refusesATransactionOfAnotherDataSource(@Autowired DelayJobProducer producer) {
        try (HikariDataSource another = TestDatabase.H2_MEMORY.fresh()) {
            TransactionTemplate others = new TransactionTemplate(new JdbcTransactionManager(another));
            assertThatThrownBy(() -> others.executeWithoutResult(
                            status -> producer.submit(DelayJobRequest.toTopic("thank", "rice"), Till.LATER)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(
                            "is not one of the journal's DataSource", "delayjob.queues.default.journal.mode=off");
        }
        jobs.assertNothingSubmitted();
    }

    @Test
    void hasNoHistory(@Autowired Extensions extensions) {
        assertThat(extensions.journal().getClass().getName()).startsWith("io.delayjob.test.");
        assertThatThrownBy(() -> admin.history("default", "tea", 10))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("SubmittedJobs.events()");
    }
}
