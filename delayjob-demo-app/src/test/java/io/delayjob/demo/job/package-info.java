/** Tests of what the demo remembers. */
@NullMarked
package io.delayjob.demo.job;

import org.jspecify.annotations.NullMarked;
