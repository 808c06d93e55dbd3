package io.delayjob.redisson.internal.redis;

import io.delayjob.ActionResult;
import io.delayjob.JobState;
import io.delayjob.SubmitResult;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Reads the codes that scripts answer, one letter per job: see include/state.lua and submit.lua. */
final class ResultCodes {

    private ResultCodes() {}

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

    static JobState state(char code) {
        return switch (code) {
            case 'D' -> JobState.DELAYED;
            case 'Y' -> JobState.READY;
            case 'R' -> JobState.RESERVED;
            case 'X' -> JobState.DEAD;
            case 'C' -> JobState.COMPLETED;
            case 'O' -> JobState.CANCELLED;
            default -> throw new IllegalArgumentException("not the code of a state: " + code);
        };
    }

    /** One result per code; a capital letter means that the action was done. */
    static List<ActionResult> actions(String codes) {
        return codes.chars().mapToObj(c -> action((char) c)).toList();
    }

    private static ActionResult action(char code) {
        if (code == '-') {
            return ActionResult.NO_SUCH_JOB;
        }
        JobState state = state(Character.toUpperCase(code));
        return Character.isUpperCase(code) ? ActionResult.done(state) : ActionResult.refused(state);
    }

    /** True or false for each 1 or 0. */
    static List<Boolean> flags(String codes) {
        return codes.chars().mapToObj(c -> flag((char) c)).toList();
    }

    private static boolean flag(char code) {
        return switch (code) {
            case '0' -> false;
            case '1' -> true;
            default -> throw new IllegalArgumentException("neither 0 nor 1: " + code);
        };
    }

    /**
     * One result per code of the first line.
     *
     * @param ids the ids of the submitted jobs
     * @param answer the codes, followed by a line for each job that exists in place of a submitted one
     */
    static List<SubmitResult> submits(String queue, List<String> ids, String answer) {
        List<String> lines = List.of(answer.split("\n", -1));
        Iterator<String> firsts = lines.subList(1, lines.size()).iterator();
        if (lines.get(0).length() != ids.size()) {
            throw new IllegalArgumentException("not one code per job");
        }
        List<SubmitResult> results = new ArrayList<>(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            SubmitResult.Outcome outcome = outcome(lines.get(0).charAt(i));
            boolean other = outcome == SubmitResult.Outcome.KEPT || outcome == SubmitResult.Outcome.POSTPONED;
            results.add(new SubmitResult(queue, other ? firsts.next() : ids.get(i), outcome));
        }
        return results;
    }

    private static SubmitResult.Outcome outcome(char code) {
        return switch (code) {
            case 'S' -> SubmitResult.Outcome.STORED;
            case 'E' -> SubmitResult.Outcome.EXISTS;
            case 'K' -> SubmitResult.Outcome.KEPT;
            case 'R' -> SubmitResult.Outcome.REPLACED;
            case 'P' -> SubmitResult.Outcome.POSTPONED;
            case 'J' -> SubmitResult.Outcome.JOURNALED;
            case 'U' -> SubmitResult.Outcome.UNCONFIRMED;
            default -> throw new IllegalArgumentException("not the code of a submit: " + code);
        };
    }
}
