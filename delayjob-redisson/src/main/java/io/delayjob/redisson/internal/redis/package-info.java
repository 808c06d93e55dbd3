/** The ledger and the doorbell in Redis, through Redisson's public API. */
@NullMarked
package io.delayjob.redisson.internal.redis;

import org.jspecify.annotations.NullMarked;
