@NullMarked
package io.delayjob.delivery.internal.rocketmq;

import org.jspecify.annotations.NullMarked;
