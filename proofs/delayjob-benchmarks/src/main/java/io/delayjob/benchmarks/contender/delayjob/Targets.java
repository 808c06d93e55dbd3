package io.delayjob.benchmarks.contender.delayjob;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Targets that jobs go to, in place of a bean. All at {@code receiver}, as many as {@code targets} says, by turns; and jobs whose ids
 * begin with {@code dead} go to the target {@code dead}.
 *
 * @param receiver address of the server that takes the calls
 * @param dead address of the target that fails; null if every target works
 */
record Targets(int count, String receiver, @Nullable String dead) {

    private static final String DEAD = "dead";
    private static final String BOUND = "delayjob.delivery.topics.%s.target";

    /** Targets that the options name; null if jobs go to a bean. */
    static @Nullable Targets of(Map<String, String> options) {
        String receiver = options.get("receiver");
        return receiver == null
                ? null
                : new Targets(Integer.parseInt(options.getOrDefault("targets", "1")), receiver, options.get(DEAD));
    }

    /** Properties that bind topics to the targets. */
    Map<String, String> properties() {
        Map<String, String> properties = new TreeMap<>();
        properties.put("delayjob.delivery.http.open-networks", "127.0.0.1");
        IntStream.range(0, count).forEach(i -> properties.put(BOUND.formatted(topic(i)), receiver + "/" + i));
        if (dead != null) {
            properties.put(BOUND.formatted(DEAD), dead);
        }
        return properties;
    }

    /** The topic of a job. */
    String topic(String id) {
        int dash = id.lastIndexOf('-');
        return id.startsWith(DEAD) ? DEAD : topic(Integer.parseInt(id, dash + 1, id.length(), 10) % count);
    }

    private static String topic(int number) {
        return "target-" + number;
    }
}
