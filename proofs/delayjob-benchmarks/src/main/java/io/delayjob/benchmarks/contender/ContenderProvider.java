package io.delayjob.benchmarks.contender;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sets up the contenders of a module; found by {@link java.util.ServiceLoader}, so that class paths may differ. */
public interface ContenderProvider {

    /**
     * Sets a contender up.
     *
     * @param options of the workload, such as {@code delayjob.shards}; those that it does not know are left alone
     * @return null if this module does not have it
     */
    @Nullable Contender open(ContenderName name, Store store, Map<String, String> options) throws Exception;
}
