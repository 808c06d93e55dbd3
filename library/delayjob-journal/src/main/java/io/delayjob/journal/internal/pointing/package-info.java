/** Ids whose jobs are in the shards of their keys. */
@NullMarked
package io.delayjob.journal.internal.pointing;

import org.jspecify.annotations.NullMarked;
