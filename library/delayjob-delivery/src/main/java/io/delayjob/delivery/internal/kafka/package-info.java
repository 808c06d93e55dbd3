/** Delivery to Kafka. */
@NullMarked
package io.delayjob.delivery.internal.kafka;

import org.jspecify.annotations.NullMarked;
