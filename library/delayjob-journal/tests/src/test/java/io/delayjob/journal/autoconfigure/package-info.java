/** The journal in applications. */
@NullMarked
package io.delayjob.journal.autoconfigure;

import org.jspecify.annotations.NullMarked;
