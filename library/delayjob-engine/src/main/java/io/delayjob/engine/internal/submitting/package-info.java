/** Submits jobs, from the request to the stored job. */
@NullMarked
package io.delayjob.engine.internal.submitting;

import org.jspecify.annotations.NullMarked;
