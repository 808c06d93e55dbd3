/** The tables of the journal. All SQL is here, and what differs between databases in {@code Dialect}. */
@NullMarked
package io.delayjob.journal.internal.tables;

import org.jspecify.annotations.NullMarked;
