/** History of the queues during the last day, in Redis: the sum of what all nodes counted. */
@NullMarked
package io.delayjob.redisson.history;

import org.jspecify.annotations.NullMarked;
