/** Sets up the HTTP API in a Spring Boot application. */
@NullMarked
package io.delayjob.server.autoconfigure;

import org.jspecify.annotations.NullMarked;
