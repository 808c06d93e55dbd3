package io.delayjob.demo.web;

import org.jspecify.annotations.Nullable;

/**
 * A request to submit a job, as text, so that every bad value can be answered with its parameter and a remedy.
 *
 * @param name a name
 * @param age a whole number, 0 or more
 * @param delay a whole number, 0 or more; 30 if absent
 * @param unit the unit of {@code delay}, a {@link java.util.concurrent.TimeUnit}; SECONDS if absent
 * @param id the job's id; a random one if absent
 * @param sleepMillis how long each attempt takes; 0 if absent
 * @param fail how many attempts fail before one succeeds; 0 if absent
 */
public record SubmitForm(
        @Nullable String name,
        @Nullable String age,
        @Nullable String delay,
        @Nullable String unit,
        @Nullable String id,
        @Nullable String sleepMillis,
        @Nullable String fail) {

    /** Takes what is left empty, as an HTML form sends it, as absent. */
    public SubmitForm {
        name = emptyToNull(name);
        age = emptyToNull(age);
        delay = emptyToNull(delay);
        unit = emptyToNull(unit);
        id = emptyToNull(id);
        sleepMillis = emptyToNull(sleepMillis);
        fail = emptyToNull(fail);
    }

    private static @Nullable String emptyToNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }
}
