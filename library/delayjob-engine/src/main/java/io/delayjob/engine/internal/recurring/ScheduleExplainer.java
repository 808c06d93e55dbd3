package io.delayjob.engine.internal.recurring;

import io.delayjob.Explanation;
import io.delayjob.Schedule;
import io.delayjob.ScheduleExplanation;
import io.delayjob.ScheduleExplanation.Reason;
import io.delayjob.ScheduleSnapshot;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains why a schedule fires or does not.
 *
 * @param one the schedule
 * @param resumed when it was resumed last
 * @param now the ledger's clock
 * @param consumed whether a node or a worker takes jobs of its queue
 * @param last the explanation of its last occurrence; null if there is none, or it has finished
 */
record ScheduleExplainer(
        ScheduleSnapshot one,
        Instant resumed,
        Instant now,
        boolean consumed,
        @Nullable Explanation last) {

    static ScheduleExplanation unknown(String name) {
        return new ScheduleExplanation(
                Reason.NO_SUCH_SCHEDULE,
                "there is no schedule '" + name + "': it was never stored, or was removed",
                null);
    }

    static ScheduleExplanation misplaced(String name) {
        return new ScheduleExplanation(
                Reason.MISPLACED,
                "schedule '" + name
                        + "': it was stored when its queue had another number of shards, and does not fire: put it again",
                null);
    }

    static ScheduleExplanation unreadable(String name) {
        return new ScheduleExplanation(
                Reason.UNREADABLE,
                "schedule '" + name
                        + "': this node cannot read its definition, which a newer release may have stored: update the node, or put the"
                        + " schedule again",
                null);
    }

    ScheduleExplanation explain() {
        if (one.paused()) {
            return because(
                    Reason.PAUSED,
                    (hasPausedItself() ? "it paused itself, because its last occurrences are all dead" : "it is paused")
                            + ": it skips its instants until it is resumed");
        } else if (one.nextAt() == null) {
            return because(
                    Reason.ENDED, "no instant follows: a put that moves it has not ended. If it failed, put it again");
        } else if (one.nextAt().isAfter(now)) {
            return because(
                    Reason.NOT_DUE, "its next instant is " + one.nextAt() + ", Redis' clock is at " + now + meeting());
        } else if (!consumed) {
            return because(
                    Reason.NO_CONSUMER,
                    "its instant " + one.nextAt() + " has come, but no live node consumes queue '"
                            + schedule().queue() + "', and no worker elsewhere has claimed there for a minute");
        } else if (one.waits()) {
            return because(
                    Reason.WAITS,
                    "its instant " + one.nextAt()
                            + " has come, and waits for the occurrence before, because overlap is "
                            + schedule().overlap());
        }
        return because(
                Reason.ABOUT_TO_FIRE,
                "its instant " + one.nextAt() + " has come, Redis' clock is at " + now
                        + ": the node that watches its shard serves it now; if it does not, its log and health say why");
    }

    private Schedule schedule() {
        return one.schedule();
    }

    /** Whether the last decision paused it. If it was resumed after that, others have paused it since. */
    private boolean hasPausedItself() {
        List<ScheduleSnapshot.Decision> decisions = one.decisions();
        if (decisions.isEmpty()) {
            return false;
        }
        ScheduleSnapshot.Decision last = decisions.get(decisions.size() - 1);
        return "DEATHS".equals(last.skipped()) && last.instant().isAfter(resumed);
    }

    /** The outcome of the next instant, if the last occurrence is not over by then. */
    private String meeting() {
        if (last == null || last.reason() == Explanation.Reason.DEAD) {
            return "";
        }
        return ". If its last occurrence is not over by then, "
                + switch (schedule().overlap()) {
                    case SKIP -> "that instant is skipped";
                    case BUFFER_ONE, BUFFER_ALL -> "that instant waits for it";
                    case CANCEL_OTHER -> "it is cancelled";
                    case ALLOW -> "both run";
                }
                + ", because overlap is " + schedule().overlap();
    }

    private ScheduleExplanation because(Reason reason, String text) {
        String orphan = one.orphanSince() == null
                ? ""
                : ". No running application has declared it since " + one.orphanSince()
                        + ", though one did: remove it if it is no longer wanted";
        String more = last == null ? "" : ". Its last occurrence: " + last.text();
        return new ScheduleExplanation(reason, "schedule '" + schedule().name() + "': " + text + orphan + more, last);
    }
}
