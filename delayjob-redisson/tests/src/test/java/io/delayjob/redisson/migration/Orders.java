package io.delayjob.redisson.migration;

interface Orders {

    void closeIfUnpaid(String orderId);
}
