package io.delayjob.benchmarks.contender;

import java.util.ArrayList;
import java.util.List;

/** Threads that do the same until they are through. */
final class Crew {

    private Crew() {}

    /** Returns when all are through. */
    static void work(int threads, String name, Runnable work) throws InterruptedException {
        List<Thread> crew = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(work, name + "-" + i);
            thread.setDaemon(true);
            thread.start();
            crew.add(thread);
        }
        for (Thread thread : crew) {
            thread.join();
        }
    }
}
