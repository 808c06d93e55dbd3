/** Looks at all queues once for all browsers. */
@NullMarked
package io.delayjob.server.console.internal.look;

import org.jspecify.annotations.NullMarked;
