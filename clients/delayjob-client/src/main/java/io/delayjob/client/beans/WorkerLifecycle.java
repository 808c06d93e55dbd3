package io.delayjob.client.beans;

import io.delayjob.client.HttpDelayJobWorker;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Runs a worker while the application is up: it begins when everything else is, and stops first. One that the server refuses is tried again, and logged. */
final class WorkerLifecycle implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(WorkerLifecycle.class);
    private static final long AGAIN_SECONDS = 10;

    private final Supplier<HttpDelayJobWorker> workers;
    private volatile @Nullable Working working;

    /**
     * A lifecycle that has not begun.
     *
     * @param workers makes a worker; throws if the beans cannot run jobs
     */
    WorkerLifecycle(Supplier<HttpDelayJobWorker> workers) {
        this.workers = workers;
    }

    /** The worker, or its successor, on a thread of its own. */
    private final class Working implements Runnable {

        private final CountDownLatch stopped = new CountDownLatch(1);
        private volatile HttpDelayJobWorker worker = workers.get();

        @Override
        public void run() {
            while (stopped.getCount() > 0) {
                try {
                    worker.run();
                } catch (RuntimeException e) {
                    again(e);
                }
            }
        }

        private void again(RuntimeException failure) {
            if (stopped.getCount() == 0) {
                return;
            }
            log.error("no jobs are claimed; it is tried again in {} s: {}", AGAIN_SECONDS, failure.getMessage());
            try {
                boolean unused = stopped.await(AGAIN_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                stopped.countDown();
            }
            worker = workers.get();
        }

        void stop() {
            stopped.countDown();
            worker.close();
        }
    }

    /** Fails the start of an application whose jobs cannot run, rather than the first job. */
    @Override
    public void start() {
        Working begun = new Working();
        working = begun;
        new Thread(begun, "delayjob-worker").start();
    }

    @Override
    public void stop() {
        Working begun = working;
        working = null;
        if (begun != null) {
            begun.stop();
        }
    }

    @Override
    public boolean isRunning() {
        return working != null;
    }

    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}
