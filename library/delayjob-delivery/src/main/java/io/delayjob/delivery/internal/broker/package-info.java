/** Shared code of the transports to brokers: addresses, contents of messages, and messages that wait. */
@NullMarked
package io.delayjob.delivery.internal.broker;

import org.jspecify.annotations.NullMarked;
