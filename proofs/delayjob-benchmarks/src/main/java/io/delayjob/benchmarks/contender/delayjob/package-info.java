/** This project as a contender: a Boot application, as a user would build it. */
@NullMarked
package io.delayjob.benchmarks.contender.delayjob;

import org.jspecify.annotations.NullMarked;
