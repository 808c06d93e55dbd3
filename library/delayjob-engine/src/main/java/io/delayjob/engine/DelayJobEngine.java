package io.delayjob.engine;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobListenerRegistry;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.DelayJobSchedules;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.Hooks;
import io.delayjob.engine.extension.WorkerThreads;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.internal.administering.Admin;
import io.delayjob.engine.internal.administering.AsyncAdmin;
import io.delayjob.engine.internal.administering.QueuesWatch;
import io.delayjob.engine.internal.administering.ShardsWatch;
import io.delayjob.engine.internal.calls.Callbacks;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.claiming.Claims;
import io.delayjob.engine.internal.consuming.Deadline;
import io.delayjob.engine.internal.consuming.NodeActors;
import io.delayjob.engine.internal.consuming.QueueConsumer;
import io.delayjob.engine.internal.consuming.ShardConsumer;
import io.delayjob.engine.internal.consuming.Stop;
import io.delayjob.engine.internal.recurring.Declaring;
import io.delayjob.engine.internal.recurring.ScheduleAdmin;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.internal.submitting.JobWriter;
import io.delayjob.engine.internal.submitting.Producer;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Backend.Cancellation;
import io.delayjob.engine.ledger.Backend.Notice;
import io.delayjob.engine.ledger.Backend.PassedOn;
import io.delayjob.engine.ledger.Tally;
import io.delayjob.engine.settings.ConsumeSettings;
import io.delayjob.engine.settings.ConsumedQueue;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.telemetry.ClaimVitals;
import io.delayjob.engine.telemetry.Telemetry;
import io.delayjob.engine.telemetry.Vitals;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** delayjob on one node. Accepts submits from its creation; runs jobs between {@link #start} and {@link #stop}. */
public final class DelayJobEngine implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DelayJobEngine.class);

    private final EngineSettings settings;
    private final Backend backend;
    private final HandlerRegistry registry;
    private final WorkerThreads threads;
    private final ScheduledExecutorService scheduler;
    private final Callbacks callbacks = new Callbacks();
    private final ExecutorService planner = planner();
    private final Node node;
    private final JobWriter writer;
    private final Producer producer;
    private final AsyncAdmin asyncAdmin;
    private final Admin admin;
    private final ScheduleAdmin schedules;
    private final Claims claims;
    private final ShardsWatch shards;
    private final ListenerRegistry listeners;
    private final Map<String, QueueConsumer> consumers = new ConcurrentSkipListMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Backend.@Nullable Subscription notices;
    private @Nullable NodeActors actors;
    private @Nullable Declaring declaring;

    /** Creates an engine that has not started. */
    public DelayJobEngine(
            EngineSettings settings,
            Backend backend,
            HandlerRegistry registry,
            ParamCodec params,
            WorkerThreads threads,
            Extensions extensions) {
        this.settings = settings;
        this.backend = backend;
        this.registry = registry;
        this.threads = threads;
        this.scheduler = scheduler();
        Queues queues = new Queues(backend, settings, this::isKnown, scheduler);
        Hooks hooks = Hooks.of(extensions, this::isKnown);
        this.node = new Node(settings, backend, queues, registry, params, hooks, scheduler, planner);
        this.writer = new JobWriter(registry, params, queues, settings.queues().defaultQueue());
        Duration patience = settings.submitting().timeout();
        this.asyncAdmin = new AsyncAdmin(queues, extensions, patience, callbacks);
        this.shards = new ShardsWatch(queues, consumers::keySet);
        QueuesWatch watch = new QueuesWatch(backend, asyncAdmin, consumers::keySet, shards::look);
        this.producer =
                new Producer(writer, queues, hooks, settings.submitting().afterCommit(), watch, callbacks);
        // A caller that waits continues on its own thread and needs no other.
        this.admin = new Admin(new AsyncAdmin(queues, extensions, patience, Runnable::run));
        this.schedules =
                new ScheduleAdmin(writer, queues, backend::scheduleNames, admin, hooks.events(), watch::submitted);
        this.claims = new Claims(node, this::settingsOf, callbacks);
        this.listeners = new ListenerRegistry(registry, this);
        long period = ShardsWatch.PERIOD.toSeconds();
        scheduler.scheduleWithFixedDelay(() -> shards.look(), period, period, TimeUnit.SECONDS);
        scheduler.scheduleWithFixedDelay(watch::look, period, period, TimeUnit.SECONDS);
    }

    private static ScheduledExecutorService scheduler() {
        ScheduledThreadPoolExecutor scheduler =
                new ScheduledThreadPoolExecutor(1, work -> daemon(work, "delayjob-scheduler"));
        scheduler.setRemoveOnCancelPolicy(true);
        return scheduler;
    }

    /** A thread that ends when it has had nothing to do for a while. */
    private static ExecutorService planner() {
        ThreadPoolExecutor planner = new ThreadPoolExecutor(
                1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> daemon(work, "delayjob-planner"));
        planner.allowCoreThreadTimeOut(true);
        return planner;
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Submits jobs. */
    public DelayJobProducer producer() {
        return producer;
    }

    /** Inspects jobs and acts on them. */
    public DelayJobAdmin admin() {
        return admin;
    }

    /** Inspects jobs and acts on them, without waiting. */
    public AsyncDelayJobAdmin asyncAdmin() {
        return asyncAdmin;
    }

    /** Stores schedules of recurring jobs and acts on them. */
    public DelayJobSchedules schedules() {
        return schedules;
    }

    /** Stores the schedules that the beans and listeners of this node declare, where {@link #start} is not called. */
    public void declareSchedules() {
        registry.schedules().forEach(schedules::declare);
    }

    /** Claims jobs for workers that are no beans of this application. */
    public DelayJobClaims claims() {
        return claims;
    }

    /**
     * Gives back jobs that this node claimed for a caller who did not get them. Does not wait.
     *
     * @param hasId whether the claim has an id: then the jobs are given back half a second from now, unless the claim is a repeat or was
     *     repeated by then on any node, because the answer to the other one may have been delivered. Else at once
     */
    public void undelivered(List<ClaimedJob> jobs, boolean hasId) {
        claims.undelivered(jobs, hasId);
    }

    /** The listeners of this node. */
    public DelayJobListenerRegistry listeners() {
        return listeners;
    }

    /** Runs due jobs by hand, where {@link #start} is not called. */
    public ManualRuns manualRuns() {
        return new ManualRuns(node, hasHandlers() ? queueNames() : Set.of(), this::settingsOf);
    }

    /** Claims due jobs by hand, where {@link #start} is not called. */
    public ManualClaims manualClaims() {
        return new ManualClaims(node, claims);
    }

    /**
     * Starts running the jobs of the queues that are consumed from the start; does nothing if this node runs jobs already or only
     * submits. A node without handlers consumes no queue: it could only give jobs back, and only starts to serve claims.
     */
    public void start() {
        lock.lock();
        try {
            if (!isRunning() && settings.consuming().enabled()) {
                startAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void startAll() {
        notices = backend.onNotice(this::heard);
        NodeActors started = new NodeActors(backend.rings(), scheduler);
        actors = started;
        Set<String> names = new TreeSet<>(consumedQueues());
        names.removeAll(notFromTheStart());
        names.forEach(name -> consume(name, started));
        started.start();
        claims.start(started);
        declaring = Declaring.start(schedules::declare, schedules::declareAgain, registry.schedules());
        logStart(names);
    }

    private void logStart(Set<String> queues) {
        if (hasHandlers()) {
            log.info(
                    "node {} runs jobs of queues {} with beans and listeners {}",
                    settings.node(),
                    queues,
                    registry.names());
        } else {
            log.info(
                    "node {} has no beans or listeners for jobs: it consumes no queue, and serves submits and claims",
                    settings.node());
        }
    }

    private boolean hasHandlers() {
        return !registry.names().isEmpty();
    }

    /** The queues of this node: the default queue, those with settings, and those of beans and listeners. */
    public Set<String> queueNames() {
        Set<String> names = new TreeSet<>(settings.queues().named().keySet());
        names.add(settings.queues().defaultQueue());
        registry.consumed().forEach(consumed -> names.add(queueOf(consumed)));
        return names;
    }

    /** The queues whose jobs this node runs, or may be told to run; none if it only submits or has no handlers. */
    public Set<String> consumedQueues() {
        return consumes() && hasHandlers() ? queueNames() : Set.of();
    }

    /** The number of jobs of a queue in each state, over all its shards; without those that only a journal has. */
    public CompletableFuture<Tally> tally(String queue) {
        return asyncAdmin.tally(queue);
    }

    /** Fails if the ledger does not answer for a queue. Needs no more rights than a submit, and asks no journal. */
    public CompletableFuture<Void> reach(String queue) {
        return asyncAdmin.reach(queue);
    }

    /** The name under which the queue of a request is measured: its own, or {@link Telemetry#OTHER}. */
    public String queueTag(DelayJobRequest<?> request) {
        String queue = writer.queue(request);
        return isKnown(queue) ? queue : Telemetry.OTHER;
    }

    private boolean isKnown(String queue) {
        return queue.equals(settings.queues().defaultQueue())
                || settings.queues().named().containsKey(queue)
                || registry.consumed().stream().anyMatch(consumed -> queue.equals(consumed.queue()));
    }

    /** How a queue is doing on this node; empty if the node does not run its jobs now. */
    public Optional<Vitals> vitals(String queue) {
        return Optional.ofNullable(consumers.get(queue)).map(QueueConsumer::vitals);
    }

    /** How this node is doing as one that claims jobs for workers elsewhere. */
    public ClaimVitals claimVitals() {
        return claims.vitals();
    }

    /**
     * Faults that prevent this node from running the jobs of a queue, one sentence each; empty if there are none, or if the node does
     * not run them now.
     */
    public List<String> faults(String queue) {
        return Optional.ofNullable(consumers.get(queue))
                .map(QueueConsumer::faults)
                .orElse(List.of());
    }

    private List<String> notFromTheStart() {
        return registry.consumed().stream()
                .filter(consumed -> Boolean.FALSE.equals(consumed.autoStartup()))
                .map(this::queueOf)
                .toList();
    }

    String queueOf(ConsumedQueue consumed) {
        return consumed.queue() == null ? settings.queues().defaultQueue() : consumed.queue();
    }

    private void consume(String queue, NodeActors actors) {
        QueueSettings queueSettings = settingsOf(queue);
        QueueConsumer consumer =
                new QueueConsumer(queue, queueSettings, threads.open(queue, queueSettings.concurrency()), node, actors);
        consumers.put(queue, consumer);
        consumer.start();
        shards.look(queue);
    }

    /** The settings of a queue, changed by what its listeners state. */
    private QueueSettings settingsOf(String queue) {
        QueueSettings wanted = settings.queues().of(queue);
        for (ConsumedQueue consumed : registry.consumed()) {
            if (queueOf(consumed).equals(queue)) {
                wanted = wanted.with(consumed);
            }
        }
        return wanted;
    }

    /** Takes no lock: a stop holds the engine's lock while it waits for running jobs. */
    private void heard(Notice notice) {
        if (notice instanceof PassedOn) {
            claims.passedOn(notice.shard());
        }
        QueueConsumer consumer = consumers.get(notice.shard().queue());
        if (consumer != null) {
            consumer.shards().stream()
                    .filter(shard -> shard.shard().id().equals(notice.shard()))
                    .forEach(shard -> heard(notice, shard));
        }
    }

    private void heard(Notice notice, ShardConsumer shard) {
        if (notice instanceof Cancellation cancellation) {
            shard.runs().cancelled(cancellation.lease());
        } else if (notice instanceof PassedOn jobs && !Collections.disjoint(jobs.names(), registry.names())) {
            shard.passedOn();
        }
    }

    boolean isConsuming(String queue) {
        return consumers.containsKey(queue);
    }

    /** Starts running the jobs of one queue, on a node that runs jobs. */
    void startConsuming(String queue) {
        lockUnlessInterrupted();
        try {
            NodeActors running = actors;
            if (running == null) {
                throw new IllegalStateException(
                        "this node does not run jobs: it has not started, is stopped, or delayjob.consume is false");
            }
            if (!isConsuming(queue)) {
                consume(queue, running);
                log.info("node {} runs jobs of queue {}", settings.node(), queue);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stops running the jobs of one queue, as {@link #stop} does. A job that does not end when it is interrupted keeps its lease
     * until it ends.
     */
    void stopConsuming(String queue) {
        QueueConsumer running = consumers.get(queue);
        if (running != null && running.isOfThisThread()) {
            throw new IllegalStateException("a job of queue '" + queue
                    + "' cannot stop the queue, because the stop waits for the job; stop it on another thread");
        }
        lockUnlessInterrupted();
        try {
            QueueConsumer consumer = consumers.get(queue);
            if (consumer != null) {
                stop(List.of(consumer));
                consumers.remove(queue);
                log.info("node {} has stopped running jobs of queue {}", settings.node(), queue);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Can be interrupted: a stop holds the lock while it waits for running jobs, and the thread that waits for the lock may be one
     * of them.
     */
    private void lockUnlessInterrupted() {
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while another start or stop of this node was under way", e);
        }
    }

    /**
     * Stops running jobs, without spending attempts, and waits for running ones up to {@link ConsumeSettings#shutdownTimeout}. The
     * engine can be started again.
     */
    public void stop() {
        lock.lock();
        try {
            Backend.Subscription heard = notices;
            NodeActors running = actors;
            if (heard != null && running != null) {
                running.stopListening();
                if (declaring != null) {
                    declaring.stop();
                }
                claims.stop();
                stop(List.copyOf(consumers.values()));
                claims.leave();
                running.leave();
                consumers.clear();
                actors = null;
                notices = null;
                heard.close();
                log.info("node {} has stopped running jobs", settings.node());
            }
        } finally {
            lock.unlock();
        }
    }

    private void stop(Collection<QueueConsumer> stopped) {
        try {
            new Stop(stopped).run(Deadline.after(settings.consuming().shutdownTimeout()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.warn(
                    "the stop of node {} was interrupted; jobs that still run keep their leases until they end",
                    settings.node());
        }
    }

    /** Whether this node runs jobs, as far as it has handlers, and serves claims once it has started; false if it only submits. */
    public boolean consumes() {
        return settings.consuming().enabled();
    }

    /** Whether this node runs jobs now. */
    public boolean isRunning() {
        return notices != null;
    }

    /** Stops the engine and ends the threads that submits need. */
    @Override
    public void close() {
        stop();
        // Calls that wait for a repeat are tried once more and then answered, so that nobody waits for ever.
        scheduler.shutdown();
        planner.shutdown();
        callbacks.close();
    }
}
