package io.delayjob.demo.order;

import java.time.Instant;
import java.util.Map;

/**
 * How many orders there were.
 *
 * @param at the instant of the schedule
 * @param orders how many of each status
 */
public record OrderSummary(Instant at, Map<OrderStatus, Long> orders) {}
