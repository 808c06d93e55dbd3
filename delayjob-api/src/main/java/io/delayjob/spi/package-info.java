/** Interfaces that an application may implement as Spring beans to extend how jobs are submitted and run. */
@NullMarked
package io.delayjob.spi;

import org.jspecify.annotations.NullMarked;
