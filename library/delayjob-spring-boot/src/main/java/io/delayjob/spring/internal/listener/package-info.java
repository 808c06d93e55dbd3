/** Finds the handlers among an application's beans: {@code DelayJob} classes and listener methods. */
@NullMarked
package io.delayjob.spring.internal.listener;

import org.jspecify.annotations.NullMarked;
