package io.delayjob.redisson.migration;

import java.time.Instant;
import java.util.List;

interface OrderRows {

    List<String> unpaidBefore(Instant placed);

    List<OpenOrder> open();

    record OpenOrder(String id, Instant placedAt) {}
}
