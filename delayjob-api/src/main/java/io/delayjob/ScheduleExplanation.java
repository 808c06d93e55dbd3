package io.delayjob;

import org.jspecify.annotations.Nullable;

/**
 * Why a schedule fires or does not.
 *
 * @param reason the reason
 * @param text the reason as sentences, with the times and names that matter
 * @param last the explanation of its last occurrence; null if there is none, or it has finished
 */
public record ScheduleExplanation(
        Reason reason, String text, @Nullable Explanation last) {

    /** Why a schedule fires or does not; the first reason that applies is given. */
    public enum Reason {
        /** There is no schedule of that name. */
        NO_SUCH_SCHEDULE,
        /** It was stored when its queue had another number of shards, and does not fire until it is put again. */
        MISPLACED,
        /** This node cannot read its definition. */
        UNREADABLE,
        /** It is paused. */
        PAUSED,
        /** No instant follows. */
        ENDED,
        /** Its instant has not come. */
        NOT_DUE,
        /** Its instant has come and waits for the occurrence before, as {@link Schedule#overlap} says. */
        WAITS,
        /** Its instant has come, and no node or worker takes jobs of its queue: the next one that does serves it. */
        NO_CONSUMER,
        /** Its instant has come: it is about to be served. */
        ABOUT_TO_FIRE
    }
}
