package io.delayjob.brokers;

import java.time.Instant;
import java.util.Map;

/**
 * A message as its consumer has it.
 *
 * @param id the header that says which job it was
 * @param body the body as text
 * @param headers all headers, as text
 * @param arrivedAt when it was taken from the broker
 */
record Received(String id, String body, Map<String, String> headers, Instant arrivedAt) {}
