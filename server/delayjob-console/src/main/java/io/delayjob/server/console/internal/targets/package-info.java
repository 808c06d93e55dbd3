/** Shows the topics that are bound to targets, and acts on them. */
@NullMarked
package io.delayjob.server.console.internal.targets;

import org.jspecify.annotations.NullMarked;
