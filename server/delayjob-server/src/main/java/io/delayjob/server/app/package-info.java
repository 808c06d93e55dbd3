/** The HTTP API as a program. */
@NullMarked
package io.delayjob.server.app;

import org.jspecify.annotations.NullMarked;
