/** Routes of the topics that are bound to targets. */
@NullMarked
package io.delayjob.server.internal.targets;

import org.jspecify.annotations.NullMarked;
