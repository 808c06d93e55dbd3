/**
 * Tests of services that submit delayed jobs: the engine of production on a ledger in memory, run by hand along a virtual clock.
 * No Redis, no threads, no waiting. {@link io.delayjob.test.DelayJobTest} is the way in.
 */
@NullMarked
package io.delayjob.test;

import org.jspecify.annotations.NullMarked;
