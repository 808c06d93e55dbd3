/** Routes of queues and nodes. */
@NullMarked
package io.delayjob.server.internal.queues;

import org.jspecify.annotations.NullMarked;
