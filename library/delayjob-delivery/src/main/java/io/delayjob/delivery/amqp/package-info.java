/** A template for RabbitMQ whose messages may have a delay. */
@NullMarked
package io.delayjob.delivery.amqp;

import org.jspecify.annotations.NullMarked;
