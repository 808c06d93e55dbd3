/** Rqueue as a contender. */
@NullMarked
package io.delayjob.benchmarks.contender.rqueue;

import org.jspecify.annotations.NullMarked;
