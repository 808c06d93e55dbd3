package io.delayjob.benchmarks;

import io.delayjob.benchmarks.contender.Contender;
import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.contender.ContenderProvider;
import io.delayjob.benchmarks.contender.Store;
import io.delayjob.benchmarks.contender.delayjob.DelayJobContender;
import io.delayjob.benchmarks.contender.delayjob.HttpContender;
import io.delayjob.benchmarks.contender.delayjob.Receiver;
import io.delayjob.benchmarks.contender.postgresql.DbSchedulerContender;
import io.delayjob.benchmarks.contender.postgresql.JobRunrContender;
import io.delayjob.benchmarks.contender.redisson.DelayedQueueContender;
import io.delayjob.benchmarks.contender.redisson.ScheduledExecutorContender;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sets up the contenders that are in this module. */
public final class Contenders implements ContenderProvider {

    @Override
    public @Nullable Contender open(ContenderName name, Store store, Map<String, String> options) throws Exception {
        return switch (name) {
            case DELAYJOB -> delayjob(store, options);
            case DELAYED_QUEUE -> new DelayedQueueContender(store);
            case SCHEDULED_EXECUTOR -> new ScheduledExecutorContender(store);
            case DB_SCHEDULER -> new DbSchedulerContender(store, options);
            case JOBRUNR -> new JobRunrContender(store, options);
            case RQUEUE, BULLMQ -> null;
        };
    }

    private static Contender delayjob(Store store, Map<String, String> options) {
        String port = options.get("receive");
        if (port != null) {
            return new Receiver(Integer.parseInt(port));
        }
        return options.containsKey("server") ? new HttpContender(options) : new DelayJobContender(store, options);
    }
}
