/** How much callers may do: at once, in a period, and as each may have limits of its own. */
@NullMarked
package io.delayjob.server.limits;

import org.jspecify.annotations.NullMarked;
