/** The schedules of recurring jobs, as callers may see and change them. The API stands on this service. */
@NullMarked
package io.delayjob.server.schedules;

import org.jspecify.annotations.NullMarked;
