package io.delayjob.reliability.bare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.embedded.RedisCall;
import io.delayjob.reliability.harness.FaultProxy;
import io.delayjob.reliability.harness.NodeProcess;
import io.delayjob.reliability.node.Journal;
import io.delayjob.reliability.node.Journal.Kind;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** One of the two ways to have jobs run later, on a Redis and a network of its own. Both are given the same load and fault. */
abstract class Side implements AutoCloseable {

    /** The queue, where a fault needs no more than one. */
    static final String QUEUE = "jobs";

    /** Long enough for whatever is bound to come. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    /** How far ahead jobs of the load are due at most; later ones are there for the fault. */
    private static final Duration FAR = Duration.ofMinutes(2);

    /** How often something is looked for. */
    static final Duration POLL = Duration.ofMillis(20);

    final OwnRedis redis = OwnRedis.start("--repl-diskless-sync-delay", "0");
    final FaultProxy proxy = new FaultProxy(redis.port());
    private final Path folder;
    private final Deque<Runnable> endings = new ArrayDeque<>(List.of(proxy::close, redis::close));
    private final Map<String, Submitted> submissions = new ConcurrentHashMap<>();

    Side(Path folder) {
        this.folder = folder;
    }

    /** Hands a job over; throws what a caller would see. */
    abstract void send(String queue, String id, Duration delay);

    /** Hands jobs over that are due at once, in one go; throws what a caller would see. */
    abstract void sendAll(List<String> ids);

    /** Hands a job over whose content the worker cannot read. */
    abstract void sendUnreadable(String id, Duration delay);

    /** Starts another program that hands jobs over. */
    abstract Submitter submitter();

    /** Restarts the worker in order: its threads are interrupted, the program goes on. */
    abstract void restartWorker();

    /** The program of a worker in a process of its own. */
    abstract Class<?> program();

    /** The sorted set in which what is not yet due waits for Redisson's timer. */
    abstract String timeouts(String queue);

    /** How many jobs are in Redis, due before a time, and not at an end. */
    abstract int left(long beforeMillis);

    /** The jobs that were given up and kept with a reason. */
    abstract Set<String> dead();

    /** Another program; its end is in order. */
    interface Submitter extends AutoCloseable {

        /** Hands a job over. */
        void send(String id, Duration delay);

        @Override
        void close();
    }

    /** Ends something with this side. */
    final <T> T closing(T part, Consumer<T> close) {
        endings.addFirst(() -> close.accept(part));
        return part;
    }

    /** The journal file of a worker, in a process of its own or in this one. */
    final Path journal(String name) {
        return folder.resolve(name + ".journal");
    }

    /** Starts a worker in a process of its own, which uses the network of this side; {@code -D…} are options of its JVM. */
    final NodeProcess launch(String name, String... properties) {
        List<String> settings = new ArrayList<>(List.of(
                "spring.data.redis.url=" + proxy.url(),
                "delayjob.default-queue=" + QUEUE,
                "delayjob.lease=9s",
                "delayjob.concurrency=1"));
        settings.addAll(
                Arrays.stream(properties).filter(one -> !one.startsWith("-")).toList());
        List<String> jvm =
                Arrays.stream(properties).filter(one -> one.startsWith("-")).toList();
        NodeProcess worker = NodeProcess.start(program(), name, folder, jvm, settings);
        return closing(worker, NodeProcess::close).awaitReady();
    }

    /** Hands a job over to a queue; it counts as one, however often a caller does it. */
    final void submit(String queue, String id, Duration delay) {
        count(List.of(id), delay);
        send(queue, id, delay);
        confirmed(id);
    }

    /** Hands a job over that is due at a time, or now if that is past. */
    final void submitAt(long dueMillis, String id) {
        submit(QUEUE, id, Duration.ofMillis(Math.max(0, dueMillis - System.currentTimeMillis())));
    }

    /** Hands jobs over, {@code <name>-1} and so on. */
    final void submit(String name, int count, Duration delay) {
        ids(name, count).forEach(id -> submit(QUEUE, id, delay));
    }

    /** Hands jobs over with {@link #sendAll}; they count as handed over even if that fails. */
    final void submitAll(List<String> ids) {
        count(ids, Duration.ZERO);
        sendAll(ids);
        ids.forEach(this::confirmed);
    }

    /** Hands jobs over from another program, which then ends in order. */
    final void submitAndLeave(String name, int count, Duration delay) {
        try (Submitter submitter = submitter()) {
            for (String id : ids(name, count)) {
                count(List.of(id), delay);
                submitter.send(id, delay);
                confirmed(id);
            }
        }
    }

    /** Hands a job over with {@link #sendUnreadable}; it counts as handed over even if that fails. */
    final void submitUnreadable(String id, Duration delay) {
        count(List.of(id), delay);
        sendUnreadable(id, delay);
        confirmed(id);
    }

    static List<String> ids(String name, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> name + "-" + i).toList();
    }

    private void count(List<String> ids, Duration delay) {
        long due = System.currentTimeMillis() + delay.toMillis();
        ids.forEach(id -> submissions.putIfAbsent(id, new Submitted(id, due, false)));
    }

    private void confirmed(String id) {
        submissions.computeIfPresent(id, (key, job) -> new Submitted(id, job.dueMillis(), true));
    }

    /** The events of all processes so far. */
    final List<Journal.Line> lines() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".journal"))
                    .flatMap(file -> Journal.read(file).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How often something happened so far. */
    final long count(Kind kind) {
        return lines().stream().filter(line -> line.kind() == kind).count();
    }

    /** Waits until something has happened a number of times. */
    final void awaitTimes(Kind kind, int times) {
        await().atMost(PATIENCE).pollInterval(POLL).until(() -> count(kind) >= times);
    }

    /** Loses the replies to requests that hold a text. */
    final CompletableFuture<Void> loseReplies(String text, int times) {
        return proxy.loseReplies(Pattern.compile(Pattern.quote(text)), times);
    }

    /**
     * Resets all connections, and waits until there are as many again. A client that has not yet noticed would send what comes
     * next on one that is gone, and Redisson does not repeat an offer: its caller would hear of a timeout.
     */
    final void cutAndAwaitReturn() {
        int before = proxy.connections();
        proxy.cut();
        await().atMost(PATIENCE).pollInterval(POLL).until(() -> proxy.connections() >= before);
    }

    /** Waits until a client blocks in a pop. */
    final void awaitBlockedPop() {
        assertThat(popIsBlocked(PATIENCE)).isTrue();
    }

    /** Whether a pop blocks within a time. */
    final boolean popIsBlocked(Duration within) {
        try {
            await().atMost(within)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> !redis("INFO", "clients").contains("blocked_clients:0"));
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }

    /** How many jobs have not begun though they are overdue by a time. */
    final long overdue(Duration by) {
        Set<String> begun = lines().stream()
                .filter(line -> line.kind() == Kind.BEGUN)
                .map(Journal.Line::id)
                .collect(Collectors.toSet());
        long before = System.currentTimeMillis() - by.toMillis();
        return submissions.values().stream()
                .filter(job -> !begun.contains(job.id()) && job.dueMillis() < before)
                .count();
    }

    /**
     * Waits for the jobs to end and returns their outcome: once all have ended and none is left in Redis, or once the last of them
     * is overdue by the patience.
     */
    final Outcome outcome(Duration patience) {
        awaitAllDue();
        try {
            await().atMost(patience)
                    .pollInterval(POLL)
                    .until(() -> left() == 0 && account().isComplete());
        } catch (ConditionTimeoutException e) {
            // The account tells which jobs have not ended.
        }
        return account();
    }

    /** Waits until all jobs are due. */
    final void awaitAllDue() {
        long lastDue = submissions.values().stream()
                .mapToLong(Submitted::dueMillis)
                .max()
                .orElseThrow();
        await().atMost(PATIENCE).pollInterval(POLL).until(() -> System.currentTimeMillis() > lastDue);
    }

    private Outcome account() {
        long dead = dead().stream().filter(submissions::containsKey).count();
        return Outcome.of(submissions.values(), lines(), left(), (int) dead);
    }

    private int left() {
        return left(System.currentTimeMillis() + FAR.toMillis());
    }

    /** Says a command to the Redis, past the network. */
    final String redis(String... words) {
        return call(redis, words);
    }

    /** Product and version of the Redis. */
    final String version() {
        try {
            return RedisCall.version(redis.url());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says a command to a Redis. */
    static String call(OwnRedis redis, String... words) {
        try {
            return RedisCall.call(redis.url(), words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    final int number(String... words) {
        return Integer.parseInt(redis(words));
    }

    @Override
    public void close() {
        endings.forEach(Runnable::run);
    }
}
