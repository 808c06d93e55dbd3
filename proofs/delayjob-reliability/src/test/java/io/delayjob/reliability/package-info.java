/** Faults, one test each, with the exact account of what became of every job. */
@NullMarked
package io.delayjob.reliability;

import org.jspecify.annotations.NullMarked;
