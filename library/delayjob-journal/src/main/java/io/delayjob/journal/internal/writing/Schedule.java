package io.delayjob.journal.internal.writing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A few threads that repeat tasks, each when its time has come and on one thread at a time. */
final class Schedule {

    private static final Logger log = LoggerFactory.getLogger(Schedule.class);

    /** Longer than this, no thread waits for the next task, so that it sees that it is stopped. */
    private static final long LOOK_MILLIS = 50;

    /** Later than any task is to be done again. */
    private static final Duration LAST = Duration.ofHours(1);

    private final DelayQueue<Timed> queue = new DelayQueue<>();

    /** Tasks that go on once what they have asked for is there. */
    private final Set<Task> asking = ConcurrentHashMap.newKeySet();

    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;
    private volatile long deadline;

    /** A repeated task. */
    interface Task {

        /** Does it once, and answers when to do it again; null for never. */
        @Nullable Duration run();

        /** Does it once more when the threads are stopped, until a time of {@link System#nanoTime} at the latest. */
        default void last(long deadlineNanos) {}
    }

    private static final class Timed implements Delayed {

        final Task task;
        private final long nanos;

        Timed(Task task, Duration wait) {
            this.task = task;
            this.nanos = System.nanoTime() + wait.toNanos();
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }

        boolean is(Task other) {
            return task.equals(other);
        }
    }

    /** Begins with a task. */
    void add(Task task) {
        queue.add(new Timed(task, Duration.ZERO));
    }

    /** Goes on with a task once something is over, for which no thread waits. */
    void addAfter(CompletableFuture<?> first, Task task) {
        asking.add(task);
        first.whenComplete((answer, failure) -> {
            if (asking.remove(task)) {
                add(task);
            }
        });
    }

    /** Does a task now, unless it is being done. */
    void hurry(Task task) {
        for (Timed timed : List.copyOf(queue)) {
            if (timed.is(task) && queue.remove(timed)) {
                add(task);
            }
        }
    }

    synchronized void start(String name, int number) {
        stopping = false;
        for (int i = 0; i < number; i++) {
            Thread thread = new Thread(this::work, name + "-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    /** Lets each task be done once more, and ends the threads. */
    synchronized void stop(Duration atMost) throws InterruptedException {
        deadline = System.nanoTime() + atMost.toNanos();
        stopping = true;
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        }
        // Not interrupted: a file of H2 would be closed. They end after what they do.
        threads.clear();
        queue.clear();
        asking.clear();
    }

    private void work() {
        try {
            while (!stopping) {
                Timed next = queue.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    run(next.task);
                }
            }
            end();
        } catch (InterruptedException e) {
            log.debug("{} is interrupted and ends", Thread.currentThread().getName());
        }
    }

    private void run(Task task) {
        Duration again = Duration.ofSeconds(1);
        try {
            again = task.run();
        } catch (RuntimeException | Error e) {
            log.error("{} failed", task, e);
        }
        if (again != null) {
            queue.add(new Timed(task, again));
        }
    }

    /** Tasks that still wait for an answer come last: it may take long. */
    private void end() {
        for (Task task : asking) {
            if (asking.remove(task)) {
                queue.add(new Timed(task, LAST));
            }
        }
        for (Timed timed : queue.stream().sorted().toList()) {
            if (System.nanoTime() < deadline && queue.remove(timed)) {
                timed.task.last(deadline);
            }
        }
    }
}
