/** Shows the schedules of recurring jobs, and acts on them. */
@NullMarked
package io.delayjob.server.console.internal.recurring;

import org.jspecify.annotations.NullMarked;
