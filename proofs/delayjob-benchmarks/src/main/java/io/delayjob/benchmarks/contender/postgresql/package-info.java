/** Schedulers that keep their jobs in PostgreSQL. */
@NullMarked
package io.delayjob.benchmarks.contender.postgresql;

import org.jspecify.annotations.NullMarked;
