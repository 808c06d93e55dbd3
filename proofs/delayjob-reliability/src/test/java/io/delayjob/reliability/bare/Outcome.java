package io.delayjob.reliability.bare;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.reliability.node.Journal;
import io.delayjob.reliability.node.Journal.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Outcome of the jobs of one side, in numbers.
 *
 * @param submitted jobs that were handed over
 * @param refused jobs whose caller was told that it failed, each time
 * @param run jobs that came to their end
 * @param repeated beginnings beyond the first of a job
 * @param early beginnings before their time
 * @param earliestMillis how early at most
 * @param latestMillis how late a first beginning was at most
 * @param stuck jobs that are overdue and still in Redis
 * @param dead jobs that were given up, and kept with the reason
 * @param awaitedMillis how long after the last due time the account was drawn up
 */
record Outcome(
        int submitted,
        int refused,
        int run,
        int repeated,
        int early,
        long earliestMillis,
        long latestMillis,
        int stuck,
        int dead,
        long awaitedMillis) {

    /**
     * Draws up the account.
     *
     * @param jobs the submitted jobs
     * @param lines the events since then
     * @param left how many elements are in Redis and not at an end
     * @param dead as {@link #dead()}
     */
    static Outcome of(Collection<Submitted> jobs, List<Journal.Line> lines, int left, int dead) {
        Map<String, Long> due = jobs.stream().collect(Collectors.toMap(Submitted::id, Submitted::dueMillis));
        Map<String, List<Long>> late = lines.stream()
                .filter(line -> line.kind() == Kind.BEGUN && due.containsKey(line.id()))
                .collect(Collectors.groupingBy(
                        Journal.Line::id,
                        Collectors.mapping(
                                line -> line.millis() - Objects.requireNonNull(due.get(line.id())),
                                Collectors.toList())));
        List<Long> all = late.values().stream().flatMap(List::stream).toList();
        LongSummaryStatistics first =
                late.values().stream().mapToLong(times -> times.get(0)).summaryStatistics();
        int refused = (int) jobs.stream().filter(job -> !job.confirmed()).count();
        int run = run(due.keySet(), lines);
        return new Outcome(
                jobs.size(),
                refused,
                run,
                all.size() - late.size(),
                (int) all.stream().filter(millis -> millis < 0).count(),
                Math.max(0, -first.getMin()),
                Math.max(0, first.getMax()),
                Math.min(left, jobs.size() - refused - run - dead),
                dead,
                System.currentTimeMillis()
                        - due.values().stream()
                                .mapToLong(millis -> millis)
                                .max()
                                .orElseThrow());
    }

    private static int run(Set<String> ids, List<Journal.Line> lines) {
        return (int) lines.stream()
                .filter(line -> line.kind() == Kind.ENDED && ids.contains(line.id()))
                .map(Journal.Line::id)
                .distinct()
                .count();
    }

    /** Jobs whose caller was told that all is well, and that are nowhere any more without having come to their end. */
    int lost() {
        return submitted - refused - run - stuck - dead;
    }

    /** Whether nothing more can happen. */
    boolean isComplete() {
        return run + dead == submitted;
    }

    /** Fails unless every job ran once, in time, and nothing else is there. */
    Outcome assertExact() {
        return assertExactBut(0);
    }

    /** Fails unless every job ran once, in time, but for so many that were given up with the reason. */
    Outcome assertExactBut(int dead) {
        assertThat(List.of(run, dead(), repeated, early, refused, stuck, lost()))
                .as("run, dead, repeated, early, refused, stuck, lost of %s", this)
                .containsExactly(submitted - dead, dead, 0, 0, 0, 0, 0);
        return this;
    }

    /** In words; what is zero is left out. */
    String words() {
        List<String> words = new ArrayList<>();
        words.add("%d of %d ran".formatted(run, submitted) + (repeated == 0 ? " once" : ""));
        add(words, "**%d lost**", lost());
        add(words, "**%d stuck**, still " + awaitedMillis / 1000 + " s after their time", stuck);
        add(words, "**%d repeated**", repeated);
        add(words, "**%d early** by " + earliestMillis + " ms", early);
        add(words, "**%d refused**, each time", refused);
        add(words, "%d dead, kept with the reason", dead);
        return String.join(", ", words);
    }

    /** {@link #words}, and how late jobs were at most. */
    String wordsAndLateness() {
        return words() + ", at most " + latestMillis + " ms late";
    }

    private static void add(List<String> words, String what, int count) {
        if (count > 0) {
            words.add(what.formatted(count));
        }
    }
}
