/** The ledger and the doorbell on Redis, through Redisson's public API. The only package that knows Redisson. */
@NullMarked
package io.delayjob.redisson.internal.redis;

import org.jspecify.annotations.NullMarked;
