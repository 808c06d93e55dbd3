@NullMarked
package io.delayjob.benchmarks.report;

import org.jspecify.annotations.NullMarked;
