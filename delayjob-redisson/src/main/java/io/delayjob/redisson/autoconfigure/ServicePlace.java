package io.delayjob.redisson.autoconfigure;

import org.jspecify.annotations.Nullable;

/** Where Spring Boot's own clients find Redis: at a service connection, or where the properties say. */
@FunctionalInterface
interface ServicePlace {

    /**
     * Where it is.
     *
     * @param encrypted whether the properties ask for TLS, whatever the connection says
     * @return null in an application without Spring Boot's Data Redis
     */
    @Nullable RedisPlace find(boolean encrypted);
}
