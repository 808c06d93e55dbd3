package io.delayjob.redisson.internal.listener;

import io.delayjob.redisson.internal.engine.RegisteredJob;

/**
 * A job that was found and may yet clash with another.
 *
 * @param job what runs
 * @param description the bean it is in, for messages
 */
record Candidate(RegisteredJob job, String description) {}
