/** Handlers: the beans and listener methods that run jobs on this node, with their options. */
@NullMarked
package io.delayjob.engine.handler;

import org.jspecify.annotations.NullMarked;
