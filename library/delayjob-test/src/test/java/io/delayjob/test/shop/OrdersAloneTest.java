package io.delayjob.test.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.test.DelayJobTest;
import io.delayjob.test.VirtualClock;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;

/** A part of the application: the beans that are named, delayjob and Jackson. */
@DelayJobTest(classes = {Orders.class, CloseOrderJob.class, Mails.class, OrdersAloneTest.Time.class})
class OrdersAloneTest {

    static class Time {

        @Bean
        Clock clock(VirtualClock clock) {
            return clock.asClock();
        }
    }

    @Autowired
    Orders orders;

    @Autowired
    VirtualClock clock;

    @Test
    void closesAnUnpaidOrderAfterHalfAnHour() {
        orders.create("42");

        clock.advance(Duration.ofMinutes(30));

        assertThat(orders.find("42").closedAt()).isEqualTo(clock.now());
    }
}
