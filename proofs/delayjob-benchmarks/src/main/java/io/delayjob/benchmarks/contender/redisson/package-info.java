/** Redisson's own delayed jobs: {@code RDelayedQueue} and {@code RScheduledExecutorService}. */
@NullMarked
package io.delayjob.benchmarks.contender.redisson;

import org.jspecify.annotations.NullMarked;
