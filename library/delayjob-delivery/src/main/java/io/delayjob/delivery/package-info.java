/** Delivery of due jobs to targets: what a topic is bound to, in place of a bean. */
@NullMarked
package io.delayjob.delivery;

import org.jspecify.annotations.NullMarked;
