/** Auto-configuration of delayjob in a Spring Boot application, with the properties {@code delayjob.*}. */
@NullMarked
package io.delayjob.redisson.autoconfigure;

import org.jspecify.annotations.NullMarked;
