/** The HTTP client, with servers that answer as they are told and with a real one. */
@NullMarked
package io.delayjob.client;

import org.jspecify.annotations.NullMarked;
