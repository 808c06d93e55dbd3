package com.example.shop;

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
    void closesAnOrderThatIsNotPaidInTime() {
        orders.place("42");
        jobs.assertSubmitted("close-order").dueIn(Duration.ofSeconds(10));

        clock.advance(Duration.ofSeconds(10));
        jobs.assertCompleted("close-order");
    }

    @Test
    void leavesAPaidOrderAlone() {
        orders.place("43");
        orders.pay("43");

        assertThat(clock.drain()).isZero();
    }
}
