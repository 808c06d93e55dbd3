package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;

/** One kind of load. */
public interface Workload {

    /** Its name in the command and in the results. */
    String name();

    /** Whether it says anything about that contender. */
    boolean concerns(ContenderName contender);

    /** Measures one contender and adds the measurements to the lab. */
    void measure(Lab lab, ContenderName contender);
}
