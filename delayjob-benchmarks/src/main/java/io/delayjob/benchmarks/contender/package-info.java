/** What schedulers and queues have in common here, and the program that runs one of them in a process of its own. */
@NullMarked
package io.delayjob.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
