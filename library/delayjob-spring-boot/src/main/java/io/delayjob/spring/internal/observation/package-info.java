/** Observes submits and executions, and carries traces from one to the other. */
@NullMarked
package io.delayjob.spring.internal.observation;

import org.jspecify.annotations.NullMarked;
