/** Sets up delivery in a Spring Boot application. */
@NullMarked
package io.delayjob.delivery.autoconfigure;

import org.jspecify.annotations.NullMarked;
