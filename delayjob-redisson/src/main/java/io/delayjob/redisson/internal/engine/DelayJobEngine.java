package io.delayjob.redisson.internal.engine;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.redisson.internal.ledger.Backend;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything of delayjob on one node. Submits from the moment it is made; runs jobs between {@link #start} and {@link #stop}. */
public final class DelayJobEngine implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DelayJobEngine.class);

    private final EngineSettings settings;
    private final Backend backend;
    private final JobRegistry registry;
    private final ParamCodec params;
    private final WorkerThreads threads;
    private final ScheduledExecutorService scheduler;
    private final ExecutorService callbacks;
    private final Queues queues;
    private final Producer producer;
    private final Admin admin;
    private List<QueueConsumer> consumers = List.of();

    /** An engine that has not started. */
    public DelayJobEngine(
            EngineSettings settings, Backend backend, JobRegistry registry, ParamCodec params, WorkerThreads threads) {
        this.settings = settings;
        this.backend = backend;
        this.registry = registry;
        this.params = params;
        this.threads = threads;
        this.scheduler = scheduler();
        this.callbacks = Executors.newCachedThreadPool(work -> daemon(work, "delayjob-callback"));
        this.queues = new Queues(backend, settings, scheduler);
        this.producer = new Producer(registry, params, queues, settings, callbacks);
        this.admin = new Admin(queues);
    }

    private static ScheduledExecutorService scheduler() {
        ScheduledThreadPoolExecutor scheduler =
                new ScheduledThreadPoolExecutor(1, work -> daemon(work, "delayjob-scheduler"));
        scheduler.setRemoveOnCancelPolicy(true);
        return scheduler;
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

    /** Looks at jobs and acts on them. */
    public DelayJobAdmin admin() {
        return admin;
    }

    /** Begins to run jobs; does nothing if it already does. */
    public synchronized void start() {
        if (isRunning() || !settings.consume()) {
            return;
        }
        List<String> names = Stream.concat(Stream.of(settings.defaultQueue()), settings.queues().keySet().stream())
                .distinct()
                .sorted()
                .toList();
        consumers = names.stream().map(this::consumer).toList();
        consumers.forEach(QueueConsumer::start);
        log.info("node {} runs jobs of queues {} with beans {}", settings.node(), names, registry.names());
    }

    private QueueConsumer consumer(String queue) {
        return new QueueConsumer(queue, settings, backend, queues.shards(queue), registry, params, threads, scheduler);
    }

    /** Ends running jobs, as {@link EngineSettings#shutdownTimeout} allows, without spending an attempt; can be started again. */
    public synchronized void stop() {
        if (!isRunning()) {
            return;
        }
        Deadline deadline = Deadline.after(settings.shutdownTimeout());
        try {
            consumers.forEach(QueueConsumer::stopTaking);
            for (QueueConsumer consumer : consumers) {
                consumer.drain(deadline);
            }
            for (QueueConsumer consumer : consumers) {
                consumer.close();
            }
            log.info("node {} runs no more jobs", settings.node());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.warn(
                    "stop was interrupted; jobs of node {} that still run are run again when their leases end",
                    settings.node());
        } finally {
            consumers = List.of();
        }
    }

    /** Whether it runs jobs. */
    public synchronized boolean isRunning() {
        return !consumers.isEmpty();
    }

    /** Stops, and ends the threads that submits need. */
    @Override
    public void close() {
        stop();
        scheduler.shutdownNow();
        callbacks.shutdown();
    }
}
