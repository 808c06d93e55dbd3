/** Sets up the HTTP client in a Spring Boot application. */
@NullMarked
package io.delayjob.client.autoconfigure;

import org.jspecify.annotations.NullMarked;
