package io.delayjob.server.internal.limits;

import java.util.HashMap;
import java.util.Map;

/** Bounds how many of something callers have at once on this server. Thread-safe. */
public final class Places {

    /** What asking for a place led to. */
    public enum Answer {
        /** The caller has it. */
        TAKEN,
        /** All places are taken. */
        ALL_TAKEN,
        /** The caller has as many as one caller may. */
        CALLER_HAS_ALL
    }

    private final int most;
    private final int mostPerCaller;
    private final Map<String, Integer> takenBy = new HashMap<>();
    private int taken;

    /**
     * Places, none of them taken.
     *
     * @param most how many there are
     * @param mostPerCaller how many of them one caller may have
     */
    public Places(int most, int mostPerCaller) {
        this.most = most;
        this.mostPerCaller = mostPerCaller;
    }

    /** Takes a place for a caller, if there is one. */
    public synchronized Answer take(String caller) {
        int its = takenBy.getOrDefault(caller, 0);
        if (taken >= most) {
            return Answer.ALL_TAKEN;
        } else if (its >= mostPerCaller) {
            return Answer.CALLER_HAS_ALL;
        }
        taken++;
        takenBy.put(caller, its + 1);
        return Answer.TAKEN;
    }

    /** Gives a place back that was taken. */
    public synchronized void leave(String caller) {
        taken--;
        takenBy.computeIfPresent(caller, (name, its) -> its == 1 ? null : its - 1);
    }
}
