/** The jobs of a server as its callers may submit, see and act on them. The API and the console stand on these services. */
@NullMarked
package io.delayjob.server.jobs;

import org.jspecify.annotations.NullMarked;
