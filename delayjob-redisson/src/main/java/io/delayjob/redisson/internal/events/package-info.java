/** Sends the events of this node to the stream. */
@NullMarked
package io.delayjob.redisson.internal.events;

import org.jspecify.annotations.NullMarked;
