/**
 * A real Redis for JUnit tests: {@link io.delayjob.testing.RealRedis} for the one server that all tests of a JVM share,
 * {@link io.delayjob.testing.OwnRedis} for a server that a test may kill, pause and restart, {@link
 * io.delayjob.testing.OwnSentinel} and {@link io.delayjob.testing.OwnCluster} for several of them that fail over.
 *
 * <p>A module that uses this test-jar declares, with scope test:
 *
 * <ul>
 *   <li>{@code io.delayjob:delayjob-embedded-redis} with {@code <type>test-jar</type>}, and the same without a type;
 *   <li>{@code org.junit.jupiter:junit-jupiter};
 *   <li>{@code org.testcontainers:testcontainers}, if the shared server may be a container; without it Docker is left
 *       out of the search.
 * </ul>
 */
@NullMarked
package io.delayjob.testing;

import org.jspecify.annotations.NullMarked;
