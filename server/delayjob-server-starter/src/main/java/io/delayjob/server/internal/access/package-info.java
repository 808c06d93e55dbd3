/** Access control: tokens, their roles and queues. */
@NullMarked
package io.delayjob.server.internal.access;

import org.jspecify.annotations.NullMarked;
