/** The results of a run as data, and the page that is made of them. */
@NullMarked
package io.delayjob.benchmarks.report;

import org.jspecify.annotations.NullMarked;
