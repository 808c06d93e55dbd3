/** The job of the demo, and what is remembered of its attempts. */
@NullMarked
package io.delayjob.demo.job;

import org.jspecify.annotations.NullMarked;
