package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Meter;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Nodes with nothing to do: what do they ask of Redis? */
final class IdleWorkload implements Workload {

    private static final long SETTLE_MILLIS = 5000;

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public boolean concerns(ContenderName contender) {
        return contender.storeKind() == ContenderName.StoreKind.REDIS;
    }

    @Override
    public void measure(Lab lab, ContenderName contender) {
        List<Integer> fleets = contender == ContenderName.DELAYJOB ? lab.size().idleNodes() : List.of(1);
        fleets.forEach(nodes -> measure(lab, contender, nodes));
    }

    private void measure(Lab lab, ContenderName contender, int nodes) {
        RedisStore redis = RedisStore.single();
        try (Rig rig = lab.rig(redis, contender, nodes, Map.of())) {
            rig.consume(BurstWorkload.WORKERS, 0, false);
            Rig.sleep(Math.min(SETTLE_MILLIS, lab.size().idleSeconds() * 1000L));
            Notebook book = new Notebook(this, contender, "nodes=" + nodes, rig);
            Map<String, Long> callsBefore = redis.calls();
            Meter before = redis.meter();
            Rig.sleep(lab.size().idleSeconds() * 1000L);
            Meter spent = redis.meter().since(before);
            double seconds = lab.size().idleSeconds();
            book.put("requestsPerSecondPerNode", spent.requests() / seconds / nodes);
            book.put("scriptsPerSecond", spent.scripts() / seconds);
            book.note(calls(redis.calls(), callsBefore, seconds));
            lab.add(book.measurement());
        }
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
