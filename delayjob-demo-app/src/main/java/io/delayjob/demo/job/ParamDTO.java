package io.delayjob.demo.job;

import org.jspecify.annotations.Nullable;

/**
 * The parameter of the demo's job.
 *
 * @param name a name; null if none was given
 * @param age an age in years; null if none was given
 */
public record ParamDTO(@Nullable String name, @Nullable Integer age) {}
