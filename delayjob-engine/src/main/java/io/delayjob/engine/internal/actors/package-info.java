/** Threads that do one step over and over and outlive every failure of it. */
@NullMarked
package io.delayjob.engine.internal.actors;

import org.jspecify.annotations.NullMarked;
