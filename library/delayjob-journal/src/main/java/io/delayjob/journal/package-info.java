/** The journal: jobs in the application's SQL database too. */
@NullMarked
package io.delayjob.journal;

import org.jspecify.annotations.NullMarked;
