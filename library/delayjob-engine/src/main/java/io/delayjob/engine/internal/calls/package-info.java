/** Calls to the ledger: in lanes by shard and kind, in batches, and repeated until they are answered or out of time. */
@NullMarked
package io.delayjob.engine.internal.calls;

import org.jspecify.annotations.NullMarked;
