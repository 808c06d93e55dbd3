/** A ledger and a doorbell in the memory of one process, with the same guarantees as those in Redis. For tests. */
@NullMarked
package io.delayjob.engine.memory;

import org.jspecify.annotations.NullMarked;
