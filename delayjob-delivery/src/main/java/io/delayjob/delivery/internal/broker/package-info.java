/** What the transports to brokers share: addresses, contents of messages, and messages that wait. */
@NullMarked
package io.delayjob.delivery.internal.broker;

import org.jspecify.annotations.NullMarked;
