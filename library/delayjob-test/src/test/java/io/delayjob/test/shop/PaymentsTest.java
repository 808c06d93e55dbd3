package io.delayjob.test.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.test.DelayJobTest;
import io.delayjob.test.SubmittedJobs;
import io.delayjob.test.VirtualClock;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@DelayJobTest
class PaymentsTest {

    @Autowired
    Orders orders;

    @Autowired
    VirtualClock clock;

    @Autowired
    SubmittedJobs jobs;

    @Test
    void leavesAPaidOrderOpen() {
        orders.create("42");
        orders.pay("42");

        clock.drain();

        assertThat(orders.find("42").isClosed()).isFalse();
        jobs.assertCompleted("send-receipt");
    }
}
