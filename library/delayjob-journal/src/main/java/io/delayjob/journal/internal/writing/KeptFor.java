package io.delayjob.journal.internal.writing;

import java.time.Duration;

/**
 * How long rows are kept.
 *
 * @param jobs the time for rows of finished jobs, from their end
 * @param steps the time for rows of steps
 */
public record KeptFor(Duration jobs, Duration steps) {}
