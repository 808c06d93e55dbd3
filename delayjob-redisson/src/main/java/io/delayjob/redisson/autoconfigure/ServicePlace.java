package io.delayjob.redisson.autoconfigure;

import org.jspecify.annotations.Nullable;

/** Finds Redis where Spring Boot's own clients do: at a service connection, or by the properties. */
@FunctionalInterface
interface ServicePlace {

    /**
     * Finds Redis.
     *
     * @param encrypted whether the URL among the properties asks for TLS, whatever the connection says
     * @return where Redis is; null in an application without Spring Boot's Data Redis support
     */
    @Nullable RedisPlace find(boolean encrypted);
}
