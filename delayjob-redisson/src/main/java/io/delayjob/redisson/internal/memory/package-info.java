/** The ledger and the doorbell in the memory of one process: what the ones in Redis promise, without Redis. */
@NullMarked
package io.delayjob.redisson.internal.memory;

import org.jspecify.annotations.NullMarked;
