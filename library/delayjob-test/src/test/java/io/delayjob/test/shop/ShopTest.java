package io.delayjob.test.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.test.AutoConfigureDelayJobTest;
import io.delayjob.test.VirtualClock;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.MOCK)
@AutoConfigureDelayJobTest
class ShopTest {

    @Autowired
    Orders orders;

    @Autowired
    VirtualClock clock;

    @Test
    void closesUnpaidOrders() {
        orders.create("42");

        clock.drain();

        assertThat(orders.find("42").isClosed()).isTrue();
    }
}
