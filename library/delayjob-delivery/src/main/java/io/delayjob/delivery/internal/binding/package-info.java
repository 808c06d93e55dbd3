/** Which topic is bound to what: from properties, beans and Redis. */
@NullMarked
package io.delayjob.delivery.internal.binding;

import org.jspecify.annotations.NullMarked;
