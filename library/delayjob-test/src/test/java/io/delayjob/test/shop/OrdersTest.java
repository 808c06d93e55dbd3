package io.delayjob.test.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.test.DelayJobTest;
import io.delayjob.test.SubmittedJobs;
import io.delayjob.test.VirtualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@DelayJobTest
class OrdersTest {

    @Autowired
    Orders orders;

    @Autowired
    VirtualClock clock;

    @Autowired
    SubmittedJobs jobs;

    @Test
    void closesAnUnpaidOrderAfterHalfAnHour() {
        orders.create("42");

        jobs.assertSubmitted(CloseOrderJob.class)
                .withParam(new CloseOrder("42"))
                .dueIn(Duration.ofMinutes(30));

        clock.advance(Duration.ofMinutes(29));
        assertThat(orders.find("42").isClosed()).isFalse();

        clock.advance(Duration.ofMinutes(1));
        assertThat(orders.find("42").isClosed()).isTrue();
        jobs.assertNoneFailed();
    }
}
