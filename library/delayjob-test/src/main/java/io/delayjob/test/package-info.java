/**
 * Support for testing services that submit delayed jobs: the production engine with a ledger in memory, driven by a virtual clock.
 * Tests need no Redis, no extra threads and no waiting. Start with {@link io.delayjob.test.DelayJobTest}.
 */
@NullMarked
package io.delayjob.test;

import org.jspecify.annotations.NullMarked;
