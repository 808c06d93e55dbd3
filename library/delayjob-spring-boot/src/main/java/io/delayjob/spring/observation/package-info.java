/** Observations of submits and executions, and what an application may say about them, by Micrometer. */
@NullMarked
package io.delayjob.spring.observation;

import org.jspecify.annotations.NullMarked;
