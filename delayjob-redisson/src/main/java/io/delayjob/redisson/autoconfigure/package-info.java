/** delayjob in a Spring Boot application: found by the dependency alone, configured by {@code delayjob.*}. */
@NullMarked
package io.delayjob.redisson.autoconfigure;

import org.jspecify.annotations.NullMarked;
