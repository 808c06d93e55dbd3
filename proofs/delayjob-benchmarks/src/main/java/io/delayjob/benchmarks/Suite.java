package io.delayjob.benchmarks;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Programs;
import io.delayjob.benchmarks.workload.Lab;
import io.delayjob.benchmarks.workload.Workload;
import java.util.List;
import java.util.Optional;

/** Runs workloads for contenders, one after the other. */
final class Suite {

    private final Lab lab;

    Suite(Lab lab) {
        this.lab = lab;
    }

    /** Returns when all were measured; a contender that fails is reported and left out of that workload. */
    void run(List<Workload> workloads, List<ContenderName> contenders) {
        List<ContenderName> here = contenders.stream().filter(this::isHere).toList();
        for (Workload workload : workloads.stream().filter(this::isPossible).toList()) {
            here.stream().filter(workload::concerns).forEach(contender -> run(workload, contender));
        }
    }

    private boolean isHere(ContenderName contender) {
        Optional<String> obstacle = Programs.obstacle(contender);
        obstacle.ifPresent(reason -> lab.say(contender + " is left out: " + reason));
        return obstacle.isEmpty();
    }

    private boolean isPossible(Workload workload) {
        Optional<String> obstacle = workload.obstacle().get();
        obstacle.ifPresent(reason -> lab.say(workload.name() + " is left out: " + reason));
        return obstacle.isEmpty();
    }

    private void run(Workload workload, ContenderName contender) {
        lab.say(workload.name() + ": " + contender);
        long start = System.nanoTime();
        try {
            workload.measure(lab, contender);
        } catch (RuntimeException e) {
            lab.fail(workload, contender, e);
        }
        lab.say("%s: %s took %.0f s".formatted(workload.name(), contender, (System.nanoTime() - start) / 1e9));
    }
}
