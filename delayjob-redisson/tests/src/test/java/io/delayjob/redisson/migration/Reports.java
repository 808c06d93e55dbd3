package io.delayjob.redisson.migration;

import java.time.Instant;

/** Makes reports. */
interface Reports {

    void make();

    void make(Instant of);

    void make(String customerId);
}
