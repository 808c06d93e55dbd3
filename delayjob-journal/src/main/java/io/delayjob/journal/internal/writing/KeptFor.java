package io.delayjob.journal.internal.writing;

import java.time.Duration;

/**
 * How long rows are kept.
 *
 * @param jobs those of finished jobs, from their end
 * @param steps those of steps
 */
public record KeptFor(Duration jobs, Duration steps) {}
