/** Handlers: the beans and listener methods that run jobs on this node, and what they state for them. */
@NullMarked
package io.delayjob.engine.handler;

import org.jspecify.annotations.NullMarked;
