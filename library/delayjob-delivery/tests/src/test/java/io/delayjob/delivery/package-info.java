/** Tests of delivery. */
@NullMarked
package io.delayjob.delivery;

import org.jspecify.annotations.NullMarked;
