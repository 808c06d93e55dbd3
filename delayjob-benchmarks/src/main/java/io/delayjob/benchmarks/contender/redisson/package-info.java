/** What Redisson itself has for delayed jobs. */
@NullMarked
package io.delayjob.benchmarks.contender.redisson;

import org.jspecify.annotations.NullMarked;
