package io.delayjob.spring.internal.listener;

import io.delayjob.engine.handler.Handler;

/**
 * A job that was found and may yet clash with another.
 *
 * @param job its handler
 * @param description the bean it is in, for messages
 */
record Candidate(Handler job, String description) {}
