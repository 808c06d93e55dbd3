/** What an application may implement as Spring beans to take part in how jobs run. */
@NullMarked
package io.delayjob.spi;

import org.jspecify.annotations.NullMarked;
