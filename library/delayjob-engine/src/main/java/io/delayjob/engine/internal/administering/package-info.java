/** Looking at jobs and acting on them: find, list, explain, cancel, reschedule, redrive, pause. */
@NullMarked
package io.delayjob.engine.internal.administering;

import org.jspecify.annotations.NullMarked;
