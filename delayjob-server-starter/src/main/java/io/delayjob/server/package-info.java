/** Who may do what in the HTTP API. */
@NullMarked
package io.delayjob.server;

import org.jspecify.annotations.NullMarked;
