/** A ledger and a doorbell in the memory of one process, with the promises of those in Redis. For tests. */
@NullMarked
package io.delayjob.engine.memory;

import org.jspecify.annotations.NullMarked;
