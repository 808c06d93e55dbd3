/** delayjob in a Spring Boot application, wherever its jobs are kept: beans, {@code delayjob.*} properties, health, endpoint. */
@NullMarked
package io.delayjob.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
