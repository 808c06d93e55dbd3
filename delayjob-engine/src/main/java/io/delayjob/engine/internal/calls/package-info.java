/** How a node calls the ledger: by shard, in lanes, in batches, repeated until answered or out of time. */
@NullMarked
package io.delayjob.engine.internal.calls;

import org.jspecify.annotations.NullMarked;
