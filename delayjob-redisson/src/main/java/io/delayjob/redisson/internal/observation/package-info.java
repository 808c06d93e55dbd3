/** Observes submits and executions, and carries traces from the ones to the others. */
@NullMarked
package io.delayjob.redisson.internal.observation;

import org.jspecify.annotations.NullMarked;
