/** Meters of what the engine tells, by Micrometer. */
@NullMarked
package io.delayjob.redisson.internal.metrics;

import org.jspecify.annotations.NullMarked;
