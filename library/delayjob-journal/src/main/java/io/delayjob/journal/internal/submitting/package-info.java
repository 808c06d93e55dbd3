/** Writes jobs as they are submitted. */
@NullMarked
package io.delayjob.journal.internal.submitting;

import org.jspecify.annotations.NullMarked;
