package io.delayjob.benchmarks.contender;

import java.util.Map;

/** Makes contenders of one name; found by {@link java.util.ServiceLoader}, so that class paths may differ. */
public interface ContenderProvider {

    /** Which contender it makes. */
    ContenderName name();

    /**
     * Sets a contender up.
     *
     * @param options of the workload, such as {@code concurrency}; those that it does not know are left alone
     */
    Contender open(Store store, Map<String, String> options) throws Exception;
}
