package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Meter;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.time.Duration;
import java.util.Map;

/** What a job that waits takes of Redis' memory. */
final class MemoryWorkload implements Workload {

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public boolean concerns(ContenderName contender) {
        return contender.storeKind() == ContenderName.StoreKind.REDIS;
    }

    @Override
    public void measure(Lab lab, ContenderName contender) {
        int count = lab.size().waiting();
        try (Rig rig = lab.rig(contender, 1, Map.of())) {
            long due = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
            rig.submit(Submit.bulk("first", Submit.BATCH, due, 0));
            Notebook book = new Notebook(this, contender, "waiting=" + count, rig);
            Meter before = rig.store().meter();
            rig.submit(Submit.bulk("waiting", count, due, Duration.ofDays(1).toMillis()));
            double bytes = rig.store().meter().since(before).memoryBytes();
            lab.add(book.put("bytesPerJob", bytes / count).measurement());
        }
    }
}
