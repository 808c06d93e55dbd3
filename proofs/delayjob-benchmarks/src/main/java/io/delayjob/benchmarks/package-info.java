/** Measures delayjob beside its alternatives and writes the page of the results. */
@NullMarked
package io.delayjob.benchmarks;

import org.jspecify.annotations.NullMarked;
