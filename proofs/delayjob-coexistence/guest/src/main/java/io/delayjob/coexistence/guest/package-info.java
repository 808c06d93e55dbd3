/** Parts that the application has only together with delayjob: a job, and a Redisson client of its own. */
@NullMarked
package io.delayjob.coexistence.guest;

import org.jspecify.annotations.NullMarked;
