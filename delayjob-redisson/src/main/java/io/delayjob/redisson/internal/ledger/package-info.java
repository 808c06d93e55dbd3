/** The seams of the engine: the ledger that decides and the doorbell that wakes. Knows neither Redisson nor Spring. */
@NullMarked
package io.delayjob.redisson.internal.ledger;

import org.jspecify.annotations.NullMarked;
