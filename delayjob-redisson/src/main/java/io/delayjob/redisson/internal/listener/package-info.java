/** Finds what runs jobs among an application's beans: {@code DelayJob} classes and listener methods. Knows Spring. */
@NullMarked
package io.delayjob.redisson.internal.listener;

import org.jspecify.annotations.NullMarked;
