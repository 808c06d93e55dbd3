/** Meters of what the engine measures, by Micrometer. */
@NullMarked
package io.delayjob.spring.internal.metrics;

import org.jspecify.annotations.NullMarked;
