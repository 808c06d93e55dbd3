package io.delayjob.engine.ledger;

import org.jspecify.annotations.Nullable;

/**
 * A schedule as a journal keeps it: texts that it need not read.
 *
 * @param name its name
 * @param state the changing part, which only a ledger reads: version, next and last instant, whether it is paused, counts and the last occurrence
 * @param definition the definition, which only nodes read; null in a step that did not change it, and of a schedule that was removed
 */
public record KeptSchedule(
        String name, String state, @Nullable String definition) {}
