/** What happened in the queues during the last day, as all nodes counted it, in Redis. */
@NullMarked
package io.delayjob.redisson.history;

import org.jspecify.annotations.NullMarked;
