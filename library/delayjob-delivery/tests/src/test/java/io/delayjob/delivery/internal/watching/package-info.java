@NullMarked
package io.delayjob.delivery.internal.watching;

import org.jspecify.annotations.NullMarked;
