/** Delivery to AMQP 0-9-1 brokers such as RabbitMQ. */
@NullMarked
package io.delayjob.delivery.internal.amqp;

import org.jspecify.annotations.NullMarked;
