package io.delayjob.redisson.internal.engine;

import io.delayjob.DelayJob;
import java.util.function.Supplier;
import tools.jackson.databind.JavaType;

/**
 * A bean that runs jobs.
 *
 * @param name what records call it
 * @param jobClass its class, without proxies
 * @param paramType the {@code T} of its {@code DelayJob<T>}
 * @param bean gives the instance that runs, proxies included
 */
public record RegisteredJob(String name, Class<?> jobClass, JavaType paramType, Supplier<? extends DelayJob<?>> bean) {}
