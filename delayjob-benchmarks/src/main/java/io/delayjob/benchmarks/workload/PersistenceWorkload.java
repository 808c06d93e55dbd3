package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A burst and single submits on a Redis that writes what it confirms to its append-only file. */
final class PersistenceWorkload implements Workload {

    private static final int THREADS = 64;
    private static final int PER_THREAD = 100;

    @Override
    public String name() {
        return "persistence";
    }

    @Override
    public boolean concerns(ContenderName contender) {
        return contender == ContenderName.DELAYJOB;
    }

    @Override
    public void measure(Lab lab, ContenderName contender) {
        for (String fsync : lab.size().fsyncs()) {
            List<String> arguments =
                    fsync.equals("off") ? List.of() : List.of("--appendonly", "yes", "--appendfsync", fsync);
            measure(lab, contender, fsync, arguments);
        }
    }

    private void measure(Lab lab, ContenderName contender, String variant, List<String> arguments) {
        RedisStore redis = RedisStore.single(arguments.toArray(String[]::new));
        try (Rig rig = lab.rig(redis, contender, 1, Map.of())) {
            Burst burst = Burst.warm(lab, rig, BurstWorkload.WORKERS, 0, false);
            Notebook book = new Notebook(this, contender, "appendonly=" + variant, rig);
            if (burst.run(book, lab.size().burst())) {
                int count = Math.min(lab.size().burst(), THREADS * PER_THREAD);
                long due = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
                double millis = rig.submit(Submit.single("single", count, due, THREADS));
                book.put("singlesPerSecond", count / millis * 1000);
            }
            lab.add(book.measurement());
        }
    }
}
