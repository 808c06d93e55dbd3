/** Routes of the journal, in applications that have one. */
@NullMarked
package io.delayjob.server.internal.journal;

import org.jspecify.annotations.NullMarked;
