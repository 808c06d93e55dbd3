/** Counts what happens on this node for the history. */
@NullMarked
package io.delayjob.redisson.internal.history;

import org.jspecify.annotations.NullMarked;
