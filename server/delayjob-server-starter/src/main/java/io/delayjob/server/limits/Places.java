package io.delayjob.server.limits;

import java.util.HashMap;
import java.util.Map;

/** Bounds how many of something callers have at once on this server. Thread-safe. */
public final class Places {

    /** Whether a caller has got a place, or why it has not. */
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

    /**
     * Takes a place for a caller, if there is one.
     *
     * @param caller the name of the caller
     * @return whether the caller has it
     */
    public synchronized Answer take(String caller) {
        Answer answer = look(caller);
        if (answer == Answer.TAKEN) {
            taken++;
            takenBy.merge(caller, 1, Integer::sum);
        }
        return answer;
    }

    /**
     * The answer that {@link #take} would give; takes none.
     *
     * @param caller the name of the caller
     * @return the answer
     */
    public synchronized Answer look(String caller) {
        if (takenBy.getOrDefault(caller, 0) >= mostPerCaller) {
            return Answer.CALLER_HAS_ALL;
        }
        return taken >= most ? Answer.ALL_TAKEN : Answer.TAKEN;
    }

    /**
     * Gives a place back that was taken.
     *
     * @param caller the name of the caller
     */
    public synchronized void leave(String caller) {
        taken--;
        takenBy.computeIfPresent(caller, (name, its) -> its == 1 ? null : its - 1);
    }
}
