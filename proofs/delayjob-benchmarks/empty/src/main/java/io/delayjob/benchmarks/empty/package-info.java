/** A Spring Boot web application with nothing in it. */
@NullMarked
package io.delayjob.benchmarks.empty;

import org.jspecify.annotations.NullMarked;
