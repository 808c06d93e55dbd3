package io.delayjob.server.schedules;

import io.delayjob.server.web.Body;
import io.delayjob.server.web.Required;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The instants of a schedule to make up for.
 *
 * @param from the first time
 * @param to the time before which instants are made up for
 * @param perSecond how many of the jobs are due in each second from now; 100 if left out
 * @param dryRun whether to count only; false if left out
 */
public record BackfillBody(
        @Required Instant from,
        @Required Instant to,
        @Nullable Integer perSecond,
        @Nullable Boolean dryRun) implements Body {

    private static final int PER_SECOND = 100;

    int pace() {
        return perSecond == null ? PER_SECOND : perSecond;
    }

    boolean counts() {
        return Boolean.TRUE.equals(dryRun);
    }
}
