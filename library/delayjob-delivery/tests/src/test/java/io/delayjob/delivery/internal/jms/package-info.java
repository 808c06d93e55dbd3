@NullMarked
package io.delayjob.delivery.internal.jms;

import org.jspecify.annotations.NullMarked;
