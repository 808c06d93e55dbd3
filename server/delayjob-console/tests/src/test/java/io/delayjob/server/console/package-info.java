/** Tests of the console. */
@NullMarked
package io.delayjob.server.console;

import org.jspecify.annotations.NullMarked;
