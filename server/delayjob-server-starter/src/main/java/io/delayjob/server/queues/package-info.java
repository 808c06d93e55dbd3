/** The queues of a server as its callers may see and act on them. The API and the console stand on this service. */
@NullMarked
package io.delayjob.server.queues;

import org.jspecify.annotations.NullMarked;
