/** The HTTP API on a real Redis. */
@NullMarked
package io.delayjob.server;

import org.jspecify.annotations.NullMarked;
