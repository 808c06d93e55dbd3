/** Ids that belong to other shards than the keys of their jobs: they point to those. */
@NullMarked
package io.delayjob.engine.internal.pointing;

import org.jspecify.annotations.NullMarked;
