/** Redis, for what servers keep there for each other. */
@NullMarked
package io.delayjob.server.redis;

import org.jspecify.annotations.NullMarked;
