package io.delayjob.benchmarks.contender.delayjob;

import io.delayjob.benchmarks.contender.Contender;
import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.contender.ContenderProvider;
import io.delayjob.benchmarks.contender.Store;
import java.util.Map;

/** Makes {@link DelayJobContender}s. */
public final class DelayJobContenderProvider implements ContenderProvider {

    @Override
    public ContenderName name() {
        return ContenderName.DELAYJOB;
    }

    @Override
    public Contender open(Store store, Map<String, String> options) {
        return new DelayJobContender(store, options);
    }
}
