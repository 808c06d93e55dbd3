/** The journal of a server as its callers may read and restore it. The API and the console stand on this service. */
@NullMarked
package io.delayjob.server.journal;

import org.jspecify.annotations.NullMarked;
