/** Ways to have jobs run later, and the program that drives one of them in a process of its own. */
@NullMarked
package io.delayjob.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
