/** Databases for the tests. */
@NullMarked
package io.delayjob.journal.database;

import org.jspecify.annotations.NullMarked;
