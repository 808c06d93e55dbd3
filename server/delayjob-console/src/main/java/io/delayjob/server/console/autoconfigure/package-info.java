/** Sets up the console. */
@NullMarked
package io.delayjob.server.console.autoconfigure;

import org.jspecify.annotations.NullMarked;
