/** The jobs that only the database has, for those who look at jobs and act on them. */
@NullMarked
package io.delayjob.journal.internal.waiting;

import org.jspecify.annotations.NullMarked;
