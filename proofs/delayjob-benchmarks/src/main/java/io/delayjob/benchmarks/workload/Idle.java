package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Meter;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Nodes with nothing to do: what do they ask of Redis? */
final class Idle {

    private static final long SETTLE_MILLIS = 5000;

    private Idle() {}

    static void measure(Trial trial) {
        List<Integer> fleets =
                trial.contender() == ContenderName.DELAYJOB ? trial.size().idleNodes() : List.of(1);
        fleets.forEach(nodes -> measure(trial, nodes));
    }

    private static void measure(Trial trial, int nodes) {
        RedisStore redis = RedisStore.single();
        int seconds = trial.size().idleSeconds();
        try (Rig rig = trial.rig(redis, Collections.nCopies(nodes, Map.of()))) {
            rig.consume(Burst.WORKERS);
            settle(seconds);
            Notebook book = trial.notebook("nodes=" + nodes, rig);
            Map<String, Long> callsBefore = redis.calls();
            requests(book, rig, nodes, seconds);
            book.note(calls(redis.calls(), callsBefore, seconds));
            trial.add(book);
        }
    }

    /** Waits until nodes that are watched for some seconds have done what they do once. */
    static void settle(int seconds) {
        Rig.sleep(Math.min(SETTLE_MILLIS, seconds * 1000L));
    }

    /** Adds the requests that nodes without jobs send to their server within some seconds. */
    static void requests(Notebook book, Rig rig, int nodes, int seconds) {
        Meter before = rig.store().meter();
        Rig.sleep(seconds * 1000L);
        Meter spent = rig.store().meter().since(before);
        book.put("requestsPerSecondPerNode", (double) spent.requests() / seconds / nodes);
        book.put("scriptsPerSecond", (double) spent.scripts() / seconds);
    }

    /** All commands in a second, those of scripts among them. */
    private static String calls(Map<String, Long> now, Map<String, Long> before, double seconds) {
        Map<String, Long> calls = new TreeMap<>();
        now.forEach((command, count) -> calls.put(command, count - before.getOrDefault(command, 0L)));
        calls.values().removeIf(count -> count == 0);
        calls.remove("info");
        return calls.entrySet().stream()
                .map(one -> "%s %.1f".formatted(one.getKey(), one.getValue() / seconds))
                .collect(Collectors.joining(", ", "commands per second, scripts' own included: ", ""));
    }
}
