/** What the engine needs of whatever keeps the jobs: the ledger that decides, and the doorbell that wakes. */
@NullMarked
package io.delayjob.engine.ledger;

import org.jspecify.annotations.NullMarked;
