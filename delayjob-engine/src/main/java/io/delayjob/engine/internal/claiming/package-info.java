/** Claims due jobs for workers that are not this node's: waiting claims, handles, settlements. */
@NullMarked
package io.delayjob.engine.internal.claiming;

import org.jspecify.annotations.NullMarked;
