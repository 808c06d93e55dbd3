/** Redisson's delayed queue as it is used without delayjob, and delayjob, under the same faults. */
@NullMarked
package io.delayjob.reliability.bare;

import org.jspecify.annotations.NullMarked;
