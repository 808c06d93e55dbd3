/** An application on bare RDelayedQueue, and its move to delayjob: the code of docs/migrating-from-rdelayedqueue.md. */
@NullMarked
package io.delayjob.redisson.migration;

import org.jspecify.annotations.NullMarked;
