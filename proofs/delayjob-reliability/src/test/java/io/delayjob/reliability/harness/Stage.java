package io.delayjob.reliability.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobException;
import io.delayjob.DelayJobProducer;
import io.delayjob.JobPage;
import io.delayjob.JobQuery;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.QueueCounts;
import io.delayjob.reliability.node.NodeApplication;
import io.delayjob.testing.OwnRedis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Where one fault is played: a Redis, nodes in processes of their own, a submitter, and the account at the end. All of it
 * follows from one seed, but for the order that the machine gives.
 */
public final class Stage implements AutoCloseable {

    /** The lease of the nodes, unless a test says another. */
    public static final Duration LEASE = Duration.ofSeconds(3);

    private static final String LEASE_PROPERTY = "delayjob.lease=";

    private final Path folder;
    private final Random random;
    private final List<NodeProcess> nodes = new ArrayList<>();
    private final Deque<Runnable> endings = new ArrayDeque<>();
    private final List<Load> loads = new ArrayList<>();
    private final List<Submission> occurrences = new ArrayList<>();
    private final Map<String, Long> kills = new HashMap<>();
    private final Set<String> stopped = new HashSet<>();
    private final List<String> everywhere = new ArrayList<>();
    private String submitterUrl = "";
    private @Nullable ConfigurableApplicationContext submitter;
    private @Nullable Account account;
    private Account.@Nullable Evidence evidence;
    private @Nullable LostWrites lost;
    private @Nullable String database;
    private @Nullable Backup backup;

    /** A stage without anything on it. */
    Stage(Path folder, long seed) {
        this.folder = folder;
        this.random = new Random(seed);
    }

    /** The source of all randomness on this stage. */
    public Random random() {
        return random;
    }

    /** Starts a Redis whose writes are on disk before they are confirmed; the submitter uses it directly. */
    public OwnRedis redis() {
        return redis("--appendonly", "yes", "--appendfsync", "always");
    }

    /** Starts a Redis; the submitter uses the last one started, directly. */
    public OwnRedis redis(String... arguments) {
        OwnRedis redis = OwnRedis.start(arguments);
        endings.addFirst(redis::close);
        submitterUrl = redis.url();
        return redis;
    }

    /** Starts a network in front of a Redis. */
    public FaultProxy proxy(OwnRedis redis) {
        FaultProxy proxy = new FaultProxy(redis.port());
        endings.addFirst(proxy::close);
        return proxy;
    }

    /** Makes the submitter use an address other than that of the last Redis. */
    public void submitThrough(String url) {
        submitterUrl = url;
    }

    /** Properties as {@code name=value} that the submitter must share with the nodes; said before any of them is started. */
    public void everywhere(String... properties) {
        everywhere.addAll(List.of(properties));
    }

    /**
     * Gives all nodes, and the submitter, a journal in a PostgreSQL, and a table for orders; said before any of them is started.
     *
     * @param properties as {@code name=value}, of all of them
     */
    public void journal(String... properties) {
        String fresh = Postgres.freshWithOrders();
        database = fresh;
        everywhere.addAll(Postgres.journal(fresh));
        everywhere(properties);
    }

    /** The database of the journal. */
    public JdbcTemplate jdbc() {
        return Postgres.in(Objects.requireNonNull(database, "this stage has no journal"));
    }

    /** Time, in ms by Redis' clock, up to which the journal knows what happened in all shards. */
    public long writtenUpTo() {
        return Objects.requireNonNull(jdbc().queryForObject("SELECT MIN(entry_ms) FROM delayjob_shard", Long.class));
    }

    /** Makes a backup of the database of the journal, while everything runs. */
    public void backUp() {
        backup = Backup.of(jdbc());
    }

    /** Stops all nodes and the submitter, and puts the last backup of the database back. Redis is as it was. */
    public synchronized void putBack() {
        nodes.forEach(this::stop);
        if (submitter != null) {
            submitter.close();
            submitter = null;
        }
        Objects.requireNonNull(backup, "this stage has no backup").putBack();
    }

    /** A bean of the submitter. */
    public <T> T bean(Class<T> type) {
        return submitter().getBean(type);
    }

    /**
     * Makes leases so long that none ends because the machine is busy. For faults that leave jobs to their nodes; said before any
     * node is started.
     */
    public void leasesThatLast() {
        everywhere(LEASE_PROPERTY + "20s");
    }

    /** Starts a node and does not wait for it; properties are {@code name=value}, {@code -D…} are options of its JVM. */
    public NodeProcess launch(String url, String... properties) {
        List<String> jvm =
                Arrays.stream(properties).filter(one -> one.startsWith("-")).toList();
        return kept(NodeProcess.start(NodeApplication.class, nextName(), folder, jvm, nodeSettings(url, properties)));
    }

    /** Starts a node with other jars in front of its class path, and does not wait for it. */
    public NodeProcess launchWith(String jars, String url) {
        return kept(NodeProcess.startWith(jars, nextName(), folder, nodeSettings(url)));
    }

    /** The lease of the nodes of this stage. */
    Duration lease() {
        return nodeSettings("").stream()
                .filter(property -> property.startsWith(LEASE_PROPERTY))
                .map(property -> DurationStyle.detectAndParse(property.substring(LEASE_PROPERTY.length())))
                .findFirst()
                .orElseThrow();
    }

    private List<String> nodeSettings(String url, String... properties) {
        List<String> all = new ArrayList<>(settings(url));
        all.addAll(everywhere);
        all.addAll(Arrays.stream(properties).filter(one -> !one.startsWith("-")).toList());
        return lastOfEach(all);
    }

    /** Of several {@code name=value} of one name the last, because Spring would make a list of their values. */
    private static List<String> lastOfEach(List<String> properties) {
        Map<String, String> byName = new LinkedHashMap<>();
        properties.forEach(property -> byName.put(property.substring(0, property.indexOf('=')), property));
        return List.copyOf(byName.values());
    }

    private String nextName() {
        return "node-" + (nodes.size() + 1);
    }

    private NodeProcess kept(NodeProcess node) {
        nodes.add(node);
        return node;
    }

    /** Starts a node and waits until it is up. */
    public NodeProcess node(String url, String... properties) {
        return launch(url, properties).awaitReady();
    }

    /** Starts nodes at once and waits until all are up. */
    public List<NodeProcess> nodes(int count, String url, String... properties) {
        List<NodeProcess> started =
                Stream.generate(() -> launch(url, properties)).limit(count).toList();
        started.forEach(NodeProcess::awaitReady);
        return started;
    }

    /** Waits until all nodes that were launched are up. */
    public void awaitReady() {
        nodes.forEach(NodeProcess::awaitReady);
    }

    /** Lets time pass: how long a fault lasts, not something that is waited for. */
    public static void pass(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static List<String> settings(String url) {
        return List.of(
                "spring.data.redis.url=" + url,
                LEASE_PROPERTY + LEASE.toMillis() + "ms",
                "delayjob.concurrency=8",
                "delayjob.backoff.initial=200ms",
                "delayjob.backoff.jitter=0",
                "delayjob.submit-timeout=3s",
                "spring.lifecycle.timeout-per-shutdown-phase=5s");
    }

    /** SIGKILL. */
    public void kill(NodeProcess node) {
        kills.put(node.name(), System.currentTimeMillis());
        node.kill();
    }

    /** SIGTERM; does not wait. */
    public void terminate(NodeProcess node) {
        node.terminate();
    }

    /** SIGTERM, and the end awaited. */
    public void stop(NodeProcess node) {
        stopped.add(node.name());
        node.terminate();
        node.awaitEnd();
    }

    /** Says that Redis lost what was written within a time. */
    public void redisLost(LostWrites writes) {
        lost = writes;
    }

    /** Jobs to submit. */
    public Load load(Load.Mix mix) {
        Load load = new Load(producer(), random, mix);
        loads.add(load);
        return load;
    }

    /** Names the jobs that schedules were to make. */
    public void occurrences(List<Submission> jobs) {
        occurrences.addAll(jobs);
    }

    /** Submits jobs of the usual mix, evenly over a time. */
    public CompletableFuture<Void> submit(int count, Duration over) {
        return load(Load.Mix.USUAL).submit(count, over);
    }

    /** The producer of the submitter, an application that runs no jobs. */
    public DelayJobProducer producer() {
        return submitter().getBean(DelayJobProducer.class);
    }

    /** The operations of the submitter. */
    public DelayJobAdmin admin() {
        return submitter().getBean(DelayJobAdmin.class);
    }

    private synchronized ConfigurableApplicationContext submitter() {
        if (submitter == null) {
            List<String> properties = new ArrayList<>(settings(submitterUrl));
            properties.addAll(everywhere);
            properties.add("delayjob.consume=false");
            properties.add("delayjob.node=submitter");
            properties.add("node.journal=" + folder.resolve("submitter.journal"));
            submitter = NodeApplication.start(lastOfEach(properties).stream()
                    .map(property -> "--" + property)
                    .toArray(String[]::new));
        }
        return submitter;
    }

    /** Makes jobs due that wait, those whose ids begin so: a part at a time, because those that are under way at once share calls. */
    public void bringForward(String idPrefix, Duration atMost) {
        List<String> ids = loads.stream()
                .flatMap(load -> load.submissions().stream())
                .map(Submission::id)
                .filter(id -> id.startsWith(idPrefix))
                .toList();
        for (int from = 0; from < ids.size(); from += Load.BULK) {
            List<String> part = ids.subList(from, Math.min(ids.size(), from + Load.BULK));
            await().atMost(atMost)
                    .ignoreExceptionsMatching(failure -> failure.getCause() instanceof DelayJobException)
                    .until(() -> broughtForward(part));
        }
    }

    /** May be repeated after a call that was not answered: a job that has run meanwhile is left alone. */
    private boolean broughtForward(List<String> ids) {
        AsyncDelayJobAdmin admin = bean(AsyncDelayJobAdmin.class);
        CompletableFuture.allOf(ids.stream()
                        .map(id -> admin.reschedule("default", id, Duration.ZERO))
                        .toArray(CompletableFuture[]::new))
                .join();
        return true;
    }

    /** Waits until no job waits or runs. */
    public void awaitAllDone(Duration atMost) {
        await().atMost(atMost)
                .pollInterval(Duration.ofMillis(100))
                .ignoreExceptions()
                .until(this::nothingLeft);
    }

    private boolean nothingLeft() {
        QueueCounts counts = admin().counts("default");
        return counts.delayed() + counts.ready() + counts.reserved() == 0 && nothingUnwritten();
    }

    /** A job that was committed may not be in Redis yet, and its row not be what Redis says of it. */
    private boolean nothingUnwritten() {
        return database == null
                || Integer.valueOf(0)
                        .equals(jdbc().queryForObject(
                                        "SELECT COUNT(*) FROM delayjob_job WHERE finished_at IS NULL AND state <>"
                                                + " 'DEAD'",
                                        Integer.class));
    }

    /** Draws up the account; without a fault, and with every job done. */
    public Account settle(Duration atMost) {
        awaitAllDone(atMost);
        Account account = account();
        assertThat(account.faults()).isEmpty();
        assertThat(account.waiting()).isZero();
        assertThat(account.finished() + account.dead() + account.lostByRedis()).isEqualTo(account.submitted());
        return account;
    }

    /** Draws up the account as it stands. Events that are on their way in a node are awaited by stopping the nodes. */
    public Account account() {
        Map<String, JobSnapshot> ledger = ledger();
        nodes.forEach(NodeProcess::thaw);
        nodes.forEach(NodeProcess::terminate);
        nodes.forEach(NodeProcess::awaitEnd);
        Set<String> committed =
                database == null ? Set.of() : Set.copyOf(jdbc().queryForList("SELECT id FROM orders", String.class));
        List<Submission> submissions = Stream.of(
                        loads.stream().flatMap(load -> load.submissions().stream()),
                        occurrences.stream(),
                        nodes.stream().flatMap(node -> node.journal().stream()).flatMap(Submission::told),
                        nodes.stream().flatMap(node -> Submission.ordered(node.journal(), committed)))
                .flatMap(all -> all)
                .toList();
        List<Attempt> attempts = nodes.stream()
                .flatMap(node -> Attempt.of(node.name(), node.journal()).stream())
                .toList();
        Map<String, Long> ready = nodes.stream().collect(Collectors.toMap(NodeProcess::name, NodeProcess::readyMillis));
        Set<String> frozen = nodes.stream()
                .filter(NodeProcess::wasFrozen)
                .map(NodeProcess::name)
                .collect(Collectors.toSet());
        Account.Evidence all = new Account.Evidence(
                submissions,
                attempts,
                ledger,
                lease().toMillis(),
                Map.copyOf(kills),
                ready,
                frozen,
                Set.copyOf(stopped),
                lost);
        Account drawnUp = Account.of(all);
        evidence = all;
        account = drawnUp;
        return drawnUp;
    }

    /** Draws up the account of the jobs with keys, of the nodes as the last account saw them. */
    public KeyAccount keyAccount() {
        return KeyAccount.of(Objects.requireNonNull(evidence, "no account was drawn up"));
    }

    private Map<String, JobSnapshot> ledger() {
        Map<String, JobSnapshot> jobs = new HashMap<>();
        for (JobState state : List.of(JobState.DELAYED, JobState.READY, JobState.RESERVED, JobState.DEAD)) {
            String cursor = null;
            do {
                JobPage page = admin().list(
                                JobQuery.of("default", state).withLimit(500).after(cursor));
                page.jobs().forEach(job -> jobs.put(job.id(), job));
                cursor = page.next();
            } while (cursor != null);
        }
        return jobs;
    }

    /** Whether its nodes have a journal. */
    boolean isJournaled() {
        return database != null;
    }

    /** The account that was drawn up; empty before. */
    Optional<Account> drawnUp() {
        return Optional.ofNullable(account);
    }

    @Override
    public void close() {
        nodes.forEach(NodeProcess::thaw);
        nodes.forEach(NodeProcess::close);
        if (submitter != null) {
            submitter.close();
        }
        endings.forEach(Runnable::run);
    }
}
