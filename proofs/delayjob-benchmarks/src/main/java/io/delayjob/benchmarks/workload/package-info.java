/** Workloads that are measured. */
@NullMarked
package io.delayjob.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
