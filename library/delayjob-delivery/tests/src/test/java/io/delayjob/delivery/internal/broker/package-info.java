@NullMarked
package io.delayjob.delivery.internal.broker;

import org.jspecify.annotations.NullMarked;
