package io.delayjob.benchmarks.contender;

import java.util.List;
import java.util.Map;

/** A way to have jobs run later, set up as its users would. */
@SuppressWarnings("try") // close may be interrupted; nobody closes one with an interrupt pending
public interface Contender extends AutoCloseable {

    /** The settings that matter for the numbers, as they are printed. */
    Map<String, String> settings();

    /** Hands one job over; returns when its store has confirmed it. */
    void submit(Job job) throws Exception;

    /** Hands jobs over in the fastest way its users have; returns when its store has confirmed all. */
    void submitAll(List<Job> jobs) throws Exception;

    /** Starts workers; work is called with each job when it runs, and may throw to fail the attempt. */
    void consume(int workers, Work work) throws Exception;

    @Override
    void close() throws Exception;
}
