/** Compares the journal with Redis, and restores. */
@NullMarked
package io.delayjob.server.console.internal.journal;

import org.jspecify.annotations.NullMarked;
