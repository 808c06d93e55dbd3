/** Brings jobs to Redis that are in the database alone. */
@NullMarked
package io.delayjob.journal.internal.relaying;

import org.jspecify.annotations.NullMarked;
