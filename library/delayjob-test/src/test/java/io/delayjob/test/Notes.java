package io.delayjob.test;

import io.delayjob.DelayJob;
import io.delayjob.JobExecution;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A job that does what a test says, and notes its param each time. */
class Notes implements DelayJob<String> {

    private final Map<String, Work> works = new ConcurrentHashMap<>();
    private final List<String> taken = new CopyOnWriteArrayList<>();

    /** The work of a job with some param. */
    @FunctionalInterface
    interface Work {

        void run(JobExecution<String> execution) throws Exception;
    }

    void on(String param, Work work) {
        works.put(param, work);
    }

    void clear() {
        works.clear();
        taken.clear();
    }

    List<String> taken() {
        return taken;
    }

    @Override
    public void execute(JobExecution<String> execution) throws Exception {
        String param = execution.param();
        taken.add(param);
        works.getOrDefault(param, one -> {}).run(execution);
    }
}
