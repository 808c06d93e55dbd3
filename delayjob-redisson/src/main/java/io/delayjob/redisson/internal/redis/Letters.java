package io.delayjob.redisson.internal.redis;

import io.delayjob.ActionResult;
import io.delayjob.JobState;
import io.delayjob.SubmitResult;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The letters by which scripts answer, as include/state.lua and submit.lua have them. */
final class Letters {

    private Letters() {}

    static char of(JobState state) {
        return switch (state) {
            case DELAYED -> 'D';
            case READY -> 'Y';
            case RESERVED -> 'R';
            case DEAD -> 'X';
            case COMPLETED -> 'C';
            case CANCELLED -> 'O';
        };
    }

    static JobState state(char letter) {
        return switch (letter) {
            case 'D' -> JobState.DELAYED;
            case 'Y' -> JobState.READY;
            case 'R' -> JobState.RESERVED;
            case 'X' -> JobState.DEAD;
            case 'C' -> JobState.COMPLETED;
            case 'O' -> JobState.CANCELLED;
            default -> throw new IllegalArgumentException("no letter of a state: " + letter);
        };
    }

    /** One result for each letter: capital if the action was done. */
    static List<ActionResult> actions(String letters) {
        return letters.chars().mapToObj(c -> action((char) c)).toList();
    }

    private static ActionResult action(char letter) {
        if (letter == '-') {
            return ActionResult.NO_SUCH_JOB;
        }
        JobState state = state(Character.toUpperCase(letter));
        return Character.isUpperCase(letter) ? ActionResult.done(state) : ActionResult.refused(state);
    }

    /** One yes or no for each 1 or 0. */
    static List<Boolean> flags(String letters) {
        return letters.chars().mapToObj(c -> flag((char) c)).toList();
    }

    private static boolean flag(char letter) {
        return switch (letter) {
            case '0' -> false;
            case '1' -> true;
            default -> throw new IllegalArgumentException("neither yes nor no: " + letter);
        };
    }

    /**
     * One result for each letter of the first line.
     *
     * @param ids of the jobs that were submitted
     * @param answer the letters, and behind them a line for each job that stands in place of one that was submitted
     */
    static List<SubmitResult> submits(String queue, List<String> ids, String answer) {
        List<String> lines = List.of(answer.split("\n", -1));
        Iterator<String> firsts = lines.subList(1, lines.size()).iterator();
        if (lines.get(0).length() != ids.size()) {
            throw new IllegalArgumentException("no letter for each job");
        }
        List<SubmitResult> results = new ArrayList<>(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            SubmitResult.Outcome outcome = outcome(lines.get(0).charAt(i));
            boolean other = outcome == SubmitResult.Outcome.KEPT || outcome == SubmitResult.Outcome.POSTPONED;
            results.add(new SubmitResult(queue, other ? firsts.next() : ids.get(i), outcome));
        }
        return results;
    }

    private static SubmitResult.Outcome outcome(char letter) {
        return switch (letter) {
            case 'S' -> SubmitResult.Outcome.STORED;
            case 'E' -> SubmitResult.Outcome.EXISTS;
            case 'K' -> SubmitResult.Outcome.KEPT;
            case 'R' -> SubmitResult.Outcome.REPLACED;
            case 'P' -> SubmitResult.Outcome.POSTPONED;
            default -> throw new IllegalArgumentException("no letter of a submit: " + letter);
        };
    }
}
