/** Consuming queues: wake-ups, claims, feeds, and the start and stop of a queue. */
@NullMarked
package io.delayjob.engine.internal.consuming;

import org.jspecify.annotations.NullMarked;
