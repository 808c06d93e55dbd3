package io.delayjob.benchmarks.driver;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.contender.Histograms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.JsonNode;

/** A server and the nodes of one contender on it. The first node is the one that submits. */
public final class Rig implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration SUBMIT = Duration.ofMinutes(5);
    private static final long LOOK_MILLIS = 20;

    private final RunningStore store;
    private final ContenderName contender;
    private final Nodes processes;
    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, String> settings = new HashMap<>();

    private Rig(RunningStore store, ContenderName contender, Nodes processes) {
        this.store = store;
        this.contender = contender;
        this.processes = processes;
    }

    /**
     * Starts the nodes.
     *
     * @param store a server that was started for them; it ends with them
     * @param options of the contender, for each node; {@code heap} is the most memory that the JVM of the node takes for objects
     * @param processes where the nodes run
     */
    public static Rig start(
            RunningStore store, ContenderName contender, List<Map<String, String>> options, Nodes processes) {
        Rig rig = new Rig(store, contender, processes);
        try {
            options.forEach(each -> rig.nodes.add(processes.take(contender, each.get("heap"))));
            for (int i = 0; i < options.size(); i++) {
                rig.open(rig.nodes.get(i), options.get(i));
            }
            return rig;
        } catch (RuntimeException e) {
            rig.close();
            throw e;
        }
    }

    private void open(Node node, Map<String, String> options) {
        String url = store.store().url();
        JsonNode answer =
                node.call("open", Map.of("contender", contender.toString(), "store", url, "options", options), START);
        answer.get("settings")
                .properties()
                .forEach(one -> settings.put(one.getKey(), one.getValue().asString()));
    }

    /** The server. */
    public RunningStore store() {
        return store;
    }

    /** Settings that the contender reports, and the number of workers of a node once they are started. */
    public Map<String, String> settings() {
        return settings;
    }

    /** Starts the workers of all nodes; the jobs take no time. */
    public void consume(int workers) {
        consume(workers, 0, 0);
    }

    /**
     * Starts the workers of all nodes.
     *
     * @param failEvery the first attempt fails of the jobs whose numbers are divisible by this; 0 if none fails
     */
    public void consume(int workers, long workMillis, int failEvery) {
        consume(nodes, workers, workMillis, failEvery);
    }

    /** Starts one more node, whose workers are the only ones from now on. */
    public void replaceWorkers(int workers) {
        for (Node node : nodes) {
            node.call("close", Map.of(), START);
            open(node, Map.of());
        }
        Node node = processes.take(contender, null);
        nodes.add(node);
        open(node, Map.of());
        consume(List.of(node), workers, 0, 0);
    }

    private void consume(List<Node> some, int workers, long workMillis, int failEvery) {
        Map<String, ?> command = Map.of("workers", workers, "workMillis", workMillis, "failEvery", failEvery);
        settings.put("workers of a node", Integer.toString(workers));
        some.parallelStream().forEach(node -> node.call("consume", command, START));
    }

    /** Submits jobs; how long that took, ms. */
    public double submit(Submit submit) {
        return submitCalls(submit).millis();
    }

    /**
     * Calls that submitted jobs.
     *
     * @param millis how long all took together
     * @param durations how long each took, ns
     */
    public record Submitted(double millis, Histogram durations) {}

    /** Submits jobs, and measures each call. */
    public Submitted submitCalls(Submit submit) {
        JsonNode answer = submitted("submit", submit, SUBMIT);
        return new Submitted(
                answer.get("elapsedMillis").doubleValue(),
                Histograms.of(answer.get("durations").stringValue()));
    }

    /** The fields of the command of that name. */
    private record Flow(String prefix, int perSecond, int seconds, long maxDelayMillis, int threads) {}

    /** Submits jobs at fixed times; how many were submitted late. */
    public long flow(String prefix, int perSecond, int seconds, long maxDelayMillis, int threads) {
        Flow flow = new Flow(prefix, perSecond, seconds, maxDelayMillis, threads);
        return submitted("flow", flow, SUBMIT.plusSeconds(seconds))
                .get("behind")
                .longValue();
    }

    private JsonNode submitted(String what, Object jobs, Duration atMost) {
        JsonNode answer = nodes.get(0).call(what, jobs, atMost);
        if (answer.get("errors").longValue() > 0) {
            throw new IllegalStateException(
                    "%s submits failed, the first with: %s".formatted(answer.get("errors"), answer.get("firstError")));
        }
        return answer;
    }

    /** Waits until so many jobs have run, or the time is over, and says what became of them. */
    public Outcome await(String prefix, long count, Duration atMost) {
        if (nodes.size() == 1) {
            ask(nodes.get(0), prefix, count, atMost);
        } else {
            awaitOnAll(prefix, count, atMost);
        }
        return Outcome.of(count, reports(prefix));
    }

    private void awaitOnAll(String prefix, long count, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        while (distinct(prefix) < count && System.nanoTime() < end) {
            sleep(LOOK_MILLIS);
        }
    }

    private long distinct(String prefix) {
        return nodes.stream()
                .mapToLong(node -> ask(node, prefix, Long.MAX_VALUE, Duration.ZERO))
                .sum();
    }

    private static long ask(Node node, String prefix, long count, Duration atMost) {
        Map<String, ?> command = Map.of("prefix", prefix, "count", count, "seconds", atMost.toMillis() / 1000.0);
        return node.call("await", command, atMost.plus(START)).get("distinct").longValue();
    }

    private List<JsonNode> reports(String prefix) {
        return nodes.stream()
                .map(node -> node.call("report", Map.of("prefix", prefix), START))
                .toList();
    }

    /** Processor time of all nodes so far. */
    public double jvmCpuSeconds() {
        return Outcome.of(0, reports("")).jvmCpuSeconds();
    }

    /** Sleeps. */
    public static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            nodes.forEach(processes::leave);
        } finally {
            store.close();
        }
    }
}
