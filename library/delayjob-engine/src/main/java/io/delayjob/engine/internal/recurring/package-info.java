/** Recurring jobs: stores schedules, and decides what becomes of their instants. */
@NullMarked
package io.delayjob.engine.internal.recurring;

import org.jspecify.annotations.NullMarked;
