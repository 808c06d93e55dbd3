/** Routes for schedules. */
@NullMarked
package io.delayjob.server.internal.schedules;

import org.jspecify.annotations.NullMarked;
