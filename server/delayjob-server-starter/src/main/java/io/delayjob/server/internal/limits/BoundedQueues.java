package io.delayjob.server.internal.limits;

import io.delayjob.server.Access;
import io.delayjob.server.limits.Limits;
import io.delayjob.server.limits.Places.Answer;
import io.delayjob.server.web.Problem;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * Bounds in how many queues a caller submits, claims and pauses within a day: a queue comes into being by its name, and is listed and counted from
 * then on.
 */
public final class BoundedQueues {

    private static final Duration DAY = Duration.ofDays(1);
    private static final long LATER = Duration.ofHours(1).toSeconds();

    private final int mostPerCaller;
    private final NamedQueues named;

    /**
     * Queues that nobody has named.
     *
     * @param mostPerCaller how many a caller may name within a day
     */
    public BoundedQueues(int mostPerCaller) {
        this.mostPerCaller = mostPerCaller;
        this.named = new NamedQueues(NamedQueues.NO_LIMIT, mostPerCaller, DAY);
    }

    /**
     * Names a queue for a caller.
     *
     * @throws org.springframework.web.ErrorResponseException 429 if it has named as many as it may
     */
    public void name(Access access, String queue) {
        name(access, List.of(queue));
    }

    /** The same for several. */
    public void name(Access access, Collection<String> queues) {
        if (named.name(access.caller(), queues, Duration.ZERO) != Answer.TAKEN) {
            throw Problem.thrown(Problem.tooMany(
                    "%s has used %d queues at this server within a day, as many as %squeues-per-token allows; use one of these, wait %d s, or raise the limit"
                            .formatted(access.shown(), mostPerCaller, Limits.PROPERTIES, LATER),
                    LATER));
        }
    }
}
