/** Delivery to brokers, tested on the brokers themselves. */
@NullMarked
package io.delayjob.brokers;

import org.jspecify.annotations.NullMarked;
