package io.delayjob.engine.internal.pointing;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.pointing.PointedSubmits.Placed;
import io.delayjob.engine.internal.pointing.PointedSubmits.Way;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Pointer;
import io.delayjob.engine.ledger.Pointers;
import io.delayjob.engine.ledger.Pointers.Page;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.memory.MemoryBackend;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Ids that are submitted with different keys by several nodes at once, while their jobs end, pointers are swept, and each call to a shard takes any time, and
 * may arrive twice: no two jobs of an id are there at once.
 */
class PointingTest {

    private static final String QUEUE = "q";
    private static final int SHARDS = 3;
    private static final int NODES = 3;
    private static final List<String> IDS = List.of("a", "b", "c");
    private static final Duration LONG = Duration.ofHours(1);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final List<Runnable> underWay = new ArrayList<>();
    private final List<CompletableFuture<SubmitResult>> submits = new ArrayList<>();
    private Random random = new Random(0);
    private long clock;
    private int calls;
    private List<Ledger> ledgers = List.of();

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    /** A node, whose calls go to the ledgers when the test lets them. */
    private final class Node {

        final Queues queues;
        final PointedSubmits pointed;
        final List<PointerSweep> sweeps;

        Node(MemoryBackend backend) {
            this.queues = new Queues(
                    slowed(Backend.class, backend),
                    TestSettings.node(QUEUE, TestSettings.shards(SHARDS), LONG),
                    QUEUE::equals,
                    scheduler);
            this.pointed = new PointedSubmits(queues);
            this.sweeps = queues.shards(QUEUE).stream()
                    .map(shard -> new PointerSweep(shard.id(), shard.ledger(), () -> queues.ledgers(QUEUE)))
                    .toList();
        }

        void submit(String id, String place) {
            Shard home = queues.shard(QUEUE, id);
            Shard shard = queues.shard(QUEUE, place);
            NewJob job = new NewJob(id, new NewJob.Due(0, true), JobContent.of("\"job\":\"j\",\"param\":1}"));
            Placed placed = new Placed(home, shard, job);
            submits.add(
                    home == shard
                            ? pointed.orPointed(
                                    Way.DIRECT,
                                    placed,
                                    shard.submit(List.of(job)).get(0))
                            : pointed.submit(Way.DIRECT, List.of(placed)).get(0));
        }

        void sweep() {
            PointerSweep sweep = sweeps.get(random.nextInt(SHARDS));
            IntStream.range(0, PointerSweep.FEEDS).forEach(feed -> sweep.begin());
        }
    }

    /** The same, but what answers with a future does so when the test lets it. */
    private <T> T slowed(Class<T> type, T real) {
        InvocationHandler handler = (proxy, method, args) -> {
            if (method.getReturnType() == CompletableFuture.class) {
                return later(real, method, args);
            }
            Object answer = call(real, method, args);
            return answer instanceof Ledger ledger
                    ? slowed(Ledger.class, ledger)
                    : answer instanceof Pointers pointers ? slowed(Pointers.class, pointers) : answer;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private CompletableFuture<Object> later(Object real, Method method, Object[] args) {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        underWay.add(() -> arrive(real, method, args, answer));
        if (random.nextInt(4) == 0) {
            // Its repeat may arrive before it, or much later.
            underWay.add(() -> arrive(real, method, args, answer));
        }
        return answer;
    }

    private void arrive(Object real, Method method, Object[] args, CompletableFuture<Object> answer) {
        CompletableFuture<?> said = (CompletableFuture<?>) call(real, method, args);
        assertEachIdIsOnce();
        // A repeat that comes after the next call fails; its call has been answered by then.
        underWay.add(() -> said.whenComplete((value, failure) -> {
            var unused = failure == null ? answer.complete(value) : answer.completeExceptionally(failure);
        }));
    }

    private static Object call(Object real, Method method, Object[] args) {
        try {
            method.setAccessible(true);
            return method.invoke(real, args);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(method.getName(), e);
        }
    }

    private void assertEachIdIsOnce() {
        for (String id : IDS) {
            assertThat(ledgers)
                    .filteredOn(ledger -> has(ledger, id))
                    .as("shards with %s", id)
                    .hasSizeLessThan(2);
        }
    }

    private static boolean has(Ledger ledger, String id) {
        return ledger.find(id).join().isPresent();
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private void end(String id) {
        ledgers.forEach(
                ledger -> ledger.cancel(new Call("test", ++calls), List.of(id)).join());
    }

    private List<Node> nodes(int seed) {
        random = new Random(seed);
        clock = 1_700_000_000_000L;
        MemoryBackend backend = new MemoryBackend(() -> clock);
        ledgers = IntStream.range(0, SHARDS)
                .mapToObj(n -> backend.ledger(new ShardId(QUEUE, n), Retention.NONE, Replication.NONE))
                .toList();
        return IntStream.range(0, NODES).mapToObj(n -> new Node(backend)).toList();
    }

    private void letAllArrive() {
        while (!underWay.isEmpty()) {
            underWay.remove(random.nextInt(underWay.size())).run();
        }
    }

    private void step(List<Node> nodes) {
        int what = random.nextInt(100);
        if (what < 10) {
            any(nodes).submit(any(IDS), any(List.of("x", "y", "z", "u", "v", "w")));
        } else if (what < 16) {
            end(any(IDS));
        } else if (what < 20) {
            any(nodes).sweep();
        } else if (what < 22) {
            clock += any(List.of(1L, Pointer.SHOWN_MILLIS + 1, Pointer.OVER_MILLIS + 1));
        } else if (!underWay.isEmpty()) {
            underWay.remove(random.nextInt(underWay.size())).run();
        }
    }

    @Test
    void noTwoJobsOfAnIdAreThereAtOnce() {
        int stored = 0;
        int refused = 0;
        for (int seed = 0; seed < 400; seed++) {
            List<Node> nodes = nodes(seed);
            for (int i = 0; i < 500; i++) {
                step(nodes);
            }
            letAllArrive();
            assertThat(submits).allMatch(CompletableFuture::isDone);
            stored += count(Outcome.STORED);
            refused += count(Outcome.EXISTS);
            assertThat(count(Outcome.STORED) + count(Outcome.EXISTS)).isEqualTo(submits.size());
            submits.clear();
        }
        assertThat(stored).isGreaterThan(1000);
        assertThat(refused).isGreaterThan(1000);
    }

    private int count(Outcome outcome) {
        return (int) submits.stream()
                .filter(submit -> submit.join().outcome() == outcome)
                .count();
    }

    @Test
    void pointersOfJobsThatEndedAreSwept() {
        Node node = nodes(1).get(0);
        for (int n = 0; n < 1000; n++) {
            node.submit("job-" + n, n % 2 == 0 ? "x" : "y");
        }
        letAllArrive();
        assertThat(count(Outcome.STORED)).isEqualTo(1000);
        IntStream.range(0, 900).forEach(n -> end("job-" + n));
        clock += Pointer.OVER_MILLIS + 1;
        int pointers = old();
        for (PointerSweep sweep : node.sweeps) {
            IntStream.range(0, PointerSweep.FEEDS).forEach(feed -> sweep.begin());
        }
        letAllArrive();
        assertThat(pointers).isGreaterThan(500);
        assertThat(old()).as("those of the jobs that are there").isBetween(1, 100);
        submits.clear();
        node.submit("job-0", "z");
        node.submit("job-999", "z");
        letAllArrive();
        assertThat(submits)
                .extracting(submit -> submit.join().outcome())
                .containsExactly(Outcome.STORED, Outcome.EXISTS);
    }

    private int old() {
        return ledgers.stream()
                .mapToInt(ledger -> ledger.pointers()
                        .sweep(Page.FIRST, List.of())
                        .join()
                        .old()
                        .size())
                .sum();
    }
}
