/** Meters and health of targets. */
@NullMarked
package io.delayjob.delivery.internal.watching;

import org.jspecify.annotations.NullMarked;
