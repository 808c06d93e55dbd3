/** How much callers may ask of this server, and what is left of it. */
@NullMarked
package io.delayjob.server.internal.limits;

import org.jspecify.annotations.NullMarked;
