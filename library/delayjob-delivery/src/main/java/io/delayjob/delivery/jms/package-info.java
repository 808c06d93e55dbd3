/** A template for JMS whose messages may have a delay. */
@NullMarked
package io.delayjob.delivery.jms;

import org.jspecify.annotations.NullMarked;
