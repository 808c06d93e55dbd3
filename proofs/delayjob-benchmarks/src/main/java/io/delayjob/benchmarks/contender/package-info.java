/** Common interface of the schedulers and queues that are measured, and the program that runs one of them in a process of its own. */
@NullMarked
package io.delayjob.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
