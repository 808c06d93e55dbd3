/** Signs people in to the console. */
@NullMarked
package io.delayjob.server.console.internal.access;

import org.jspecify.annotations.NullMarked;
