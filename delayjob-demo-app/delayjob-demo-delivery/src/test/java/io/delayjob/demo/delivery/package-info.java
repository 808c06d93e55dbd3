/** Tests of the demo of jobs that leave. */
@NullMarked
package io.delayjob.demo.delivery;

import org.jspecify.annotations.NullMarked;
