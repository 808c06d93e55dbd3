/**
 * A Redis server for the demo and the tests, run as a child process on 127.0.0.1. Not for production.
 *
 * <p>{@link io.delayjob.embedded.EmbeddedRedis} is the only entry; everything else is package-private.
 */
@NullMarked
package io.delayjob.embedded;

import org.jspecify.annotations.NullMarked;
