/**
 * Writes the flow log of Redis into the tables. {@code FlowWriter} is the way in: it visits the shards, {@code ShardWriter} writes
 * one, and {@code PageWriter} a page of it.
 */
@NullMarked
package io.delayjob.journal.internal.writing;

import org.jspecify.annotations.NullMarked;
