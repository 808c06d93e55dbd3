/**
 * The contract between the engine and the store of jobs: the ledger, which holds the jobs and decides, and the doorbell, which
 * wakes nodes.
 */
@NullMarked
package io.delayjob.engine.ledger;

import org.jspecify.annotations.NullMarked;
