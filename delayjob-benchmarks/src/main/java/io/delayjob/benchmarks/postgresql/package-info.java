/** A PostgreSQL for a run. */
@NullMarked
package io.delayjob.benchmarks.postgresql;

import org.jspecify.annotations.NullMarked;
