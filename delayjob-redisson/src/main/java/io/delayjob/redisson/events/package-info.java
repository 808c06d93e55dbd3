/** The events of all nodes, in one stream in Redis. */
@NullMarked
package io.delayjob.redisson.events;

import org.jspecify.annotations.NullMarked;
