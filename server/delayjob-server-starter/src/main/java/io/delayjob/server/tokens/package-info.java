/** The tokens of a server, for its admins. The API and the console stand on this service. */
@NullMarked
package io.delayjob.server.tokens;

import org.jspecify.annotations.NullMarked;
