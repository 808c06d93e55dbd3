@NullMarked
package io.delayjob.delivery.spi;

import org.jspecify.annotations.NullMarked;
