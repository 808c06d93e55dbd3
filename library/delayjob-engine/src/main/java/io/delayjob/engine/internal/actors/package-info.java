/** Threads that repeat one step and survive its failures. */
@NullMarked
package io.delayjob.engine.internal.actors;

import org.jspecify.annotations.NullMarked;
