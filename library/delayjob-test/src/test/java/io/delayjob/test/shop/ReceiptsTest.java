package io.delayjob.test.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobAdmin;
import io.delayjob.JobState;
import io.delayjob.test.DelayJobMode;
import io.delayjob.test.DelayJobTest;
import io.delayjob.test.SubmittedJobs;
import io.delayjob.test.VirtualClock;
import io.delayjob.test.WithDelayJobMode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** The whole application, with the clock of the test. */
@DelayJobTest
class ReceiptsTest {

    @TestConfiguration
    static class Time {

        @Bean
        @Primary
        Clock virtual(VirtualClock clock) {
            return clock.asClock();
        }
    }

    @Autowired
    Orders orders;

    @Autowired
    Mails mails;

    @Autowired
    VirtualClock clock;

    @Autowired
    SubmittedJobs jobs;

    @Autowired
    DelayJobAdmin admin;

    @BeforeEach
    void repairTheMailServer() {
        mails.down(false);
        mails.sent().clear();
    }

    @Test
    void sendsAReceiptWhenTheMailServerIsBack() {
        orders.create("42");
        mails.down(true);
        orders.pay("42");

        clock.runDue();
        jobs.assertRetried("send-receipt").inAttempt(1).withReasonContaining("the mail server is down");

        mails.down(false);
        clock.advance(Duration.ofMinutes(1));
        assertThat(mails.sent()).containsExactly("receipt of order 42");
    }

    @Test
    void givesAReceiptUpAfterThreeAttempts() {
        orders.create("42");
        mails.down(true);
        orders.pay("42");

        int attempts = clock.drain();

        assertThat(attempts).isEqualTo(3);
        jobs.assertDead("send-receipt").inAttempt(3).withFailure(IllegalStateException.class);
        String id = jobs.assertSubmitted("send-receipt").all().get(0).id();
        assertThat(admin.find("mails", id))
                .hasValueSatisfying(job -> assertThat(job.state()).isEqualTo(JobState.DEAD));
    }

    @Test
    void submitsAReceipt() {
        orders.create("42");
        orders.pay("42");

        jobs.assertSubmitted("send-receipt")
                .withParamSatisfying(orderId -> assertThat(orderId).isEqualTo("42"))
                .inQueue("mails")
                .withHeader("language", "en")
                .times(1);
    }

    @Test
    @WithDelayJobMode(DelayJobMode.INLINE)
    void sendsTheReceiptWithinThePayment() {
        orders.create("42");
        orders.pay("42");

        assertThat(mails.sent()).containsExactly("order 42 is closed", "receipt of order 42");
    }

    @Test
    void closesAtTheTimeOfTheClock() {
        clock.startAt(Instant.parse("2028-02-29T23:45:00Z"));
        orders.create("42");

        clock.advance(Duration.ofHours(1));

        assertThat(orders.find("42").closedAt()).isEqualTo("2028-03-01T00:15:00Z");
    }
}
