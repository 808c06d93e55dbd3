/**
 * Orders that are closed unless they are paid in time: a class bean, a listener, a listener that acknowledges by hand, and a
 * cancel.
 */
@NullMarked
package io.delayjob.demo.order;

import org.jspecify.annotations.NullMarked;
