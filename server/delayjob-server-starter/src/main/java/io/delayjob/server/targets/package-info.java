/** The topics of a server that are bound to targets, as its callers may see and change them. The API and the console stand on this service. */
@NullMarked
package io.delayjob.server.targets;

import org.jspecify.annotations.NullMarked;
