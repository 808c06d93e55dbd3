@NullMarked
package io.delayjob.delivery.internal.binding;

import org.jspecify.annotations.NullMarked;
