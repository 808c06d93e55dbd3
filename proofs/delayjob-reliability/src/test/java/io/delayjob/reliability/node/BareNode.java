package io.delayjob.reliability.node;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A {@link BareQueue} in a process of its own, with the settings that a {@link NodeApplication} has: {@code
 * spring.data.redis.url}, {@code node.journal}, {@code node.skew}, and {@code delayjob.default-queue}, from which it takes. Of
 * its own is {@code bare.work} (how long it works on an element, such as {@code PT1M}).
 */
public final class BareNode {

    private BareNode() {}

    /** Takes until the process is killed. */
    public static void main(String[] args) throws InterruptedException {
        String skew = System.getProperty("node.skew", "");
        if (!skew.isEmpty()) {
            SkewedClock.install(Duration.parse(skew));
        }
        run(settings(args));
    }

    /** Loads Redisson, hence comes after the clock. */
    private static void run(Map<String, String> settings) throws InterruptedException {
        String queue = settings.getOrDefault("delayjob.default-queue", "");
        Path journal = Path.of(settings.getOrDefault("node.journal", ""));
        Duration work = Duration.parse(settings.getOrDefault("bare.work", "PT0S"));
        try (BareQueue client = new BareQueue(settings.getOrDefault("spring.data.redis.url", ""), journal, work)) {
            var unused = client.delayed(queue);
            client.startTaker(queue);
            new Journal(journal).write(Journal.Kind.READY, "bare", 0, 0);
            Thread.currentThread().join();
        }
    }

    private static Map<String, String> settings(String[] args) {
        return Arrays.stream(args)
                .map(arg -> arg.substring("--".length()).split("=", 2))
                .collect(Collectors.toMap(setting -> setting[0], setting -> setting[1]));
    }
}
