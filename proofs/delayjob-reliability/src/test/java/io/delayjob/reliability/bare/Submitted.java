package io.delayjob.reliability.bare;

/**
 * A job that was handed over.
 *
 * @param id the job
 * @param dueMillis before this it must not run, by the machine's clock: when the call began, and its delay
 * @param confirmed whether its caller was told, in the end, that all is well
 */
record Submitted(String id, long dueMillis, boolean confirmed) {}
