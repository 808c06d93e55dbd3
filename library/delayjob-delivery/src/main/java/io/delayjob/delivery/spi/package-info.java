/** Extension points for applications: transports. */
@NullMarked
package io.delayjob.delivery.spi;

import org.jspecify.annotations.NullMarked;
