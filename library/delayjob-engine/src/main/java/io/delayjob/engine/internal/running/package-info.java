/** Running claimed jobs: workers, attempts, leases, settlements. */
@NullMarked
package io.delayjob.engine.internal.running;

import org.jspecify.annotations.NullMarked;
