/** Submits: from a request to a stored job. */
@NullMarked
package io.delayjob.engine.internal.submitting;

import org.jspecify.annotations.NullMarked;
