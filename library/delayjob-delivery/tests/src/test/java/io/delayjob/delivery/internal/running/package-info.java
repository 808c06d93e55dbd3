@NullMarked
package io.delayjob.delivery.internal.running;

import org.jspecify.annotations.NullMarked;
