/** Shows what nodes run now, and what is to come. */
@NullMarked
package io.delayjob.server.console.internal.work;

import org.jspecify.annotations.NullMarked;
