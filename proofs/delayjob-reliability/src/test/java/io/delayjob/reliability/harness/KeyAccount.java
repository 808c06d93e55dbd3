package io.delayjob.reliability.harness;

import io.delayjob.reliability.node.Journal.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Account of jobs with keys of which one runs at once for each key, in a strict order. The id of such a job is its key, a dot and its place among
 * the jobs of the key, such as {@code customer-7.12}. An attempt that Redis may have lost is left out as the one before another: its job may run
 * again, at any time.
 *
 * @param keys the keys of which jobs ran
 * @param attempts the attempts at jobs with keys
 * @param atOnce pairs of attempts of one key that ran at once
 * @param outOfOrder pairs of attempts of one key whose jobs did not begin in the order of their places
 */
public record KeyAccount(int keys, int attempts, List<String> atOnce, List<String> outOfOrder) {

    static KeyAccount of(Account.Evidence evidence) {
        Map<String, List<Attempt>> byKey = evidence.attempts().stream()
                .filter(attempt -> attempt.id().indexOf('.') > 0)
                .sorted(Comparator.comparingLong(Attempt::begunMillis).thenComparingInt(KeyAccount::place))
                .collect(Collectors.groupingBy(KeyAccount::key, TreeMap::new, Collectors.toList()));
        List<String> atOnce = new ArrayList<>();
        List<String> outOfOrder = new ArrayList<>();
        byKey.values().forEach(all -> {
            List<Attempt> known =
                    all.stream().filter(attempt -> !evidence.mayBeLost(attempt)).toList();
            for (int i = 1; i < known.size(); i++) {
                compare(evidence, known.get(i - 1), known.get(i), atOnce, outOfOrder);
            }
        });
        int attempts = byKey.values().stream().mapToInt(List::size).sum();
        return new KeyAccount(byKey.size(), attempts, atOnce, outOfOrder);
    }

    private static void compare(
            Account.Evidence evidence, Attempt before, Attempt after, List<String> atOnce, List<String> outOfOrder) {
        String pair = before.id() + " " + before + " and " + after.id() + " " + after;
        if (after.begunMillis() < end(evidence, before)) {
            atOnce.add(pair);
        }
        if (place(after) < place(before)) {
            outOfOrder.add(pair);
        }
    }

    /** When an attempt ended: when the bean did, or its node was killed. */
    private static long end(Account.Evidence evidence, Attempt attempt) {
        Long ended = attempt.has(Kind.ENDED) ? attempt.at(Kind.ENDED) : attempt.at(Kind.FAILED);
        return ended == null ? evidence.kills().getOrDefault(attempt.node(), Long.MAX_VALUE) : ended;
    }

    private static String key(Attempt attempt) {
        return attempt.id().substring(0, attempt.id().indexOf('.'));
    }

    private static int place(Attempt attempt) {
        return Integer.parseInt(attempt.id().substring(attempt.id().indexOf('.') + 1));
    }

    @Override
    public String toString() {
        return "%d keys, %d attempts, %d pairs at once, %d out of order"
                .formatted(keys, attempts, atOnce.size(), outOfOrder.size());
    }
}
