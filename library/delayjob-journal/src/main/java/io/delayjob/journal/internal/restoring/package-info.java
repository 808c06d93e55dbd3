/** Compares the journal with the ledger, and puts back what the ledger has lost. */
@NullMarked
package io.delayjob.journal.internal.restoring;

import org.jspecify.annotations.NullMarked;
