package io.delayjob.benchmarks.workload;

import static io.delayjob.benchmarks.contender.ContenderName.BULLMQ;
import static io.delayjob.benchmarks.contender.ContenderName.DB_SCHEDULER;
import static io.delayjob.benchmarks.contender.ContenderName.DELAYED_QUEUE;
import static io.delayjob.benchmarks.contender.ContenderName.DELAYJOB;
import static io.delayjob.benchmarks.contender.ContenderName.JOBRUNR;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.contender.ContenderName.StoreKind;
import io.delayjob.benchmarks.driver.Program;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** All workloads, in the order in which they are measured. */
public final class Workloads {

    private static final Set<ContenderName> EVERYONE = those(contender -> true);
    private static final Set<ContenderName> ON_REDIS = those(contender -> contender.storeKind() == StoreKind.REDIS);
    private static final Set<ContenderName> NEAREST = those(ContenderName::isNearest);
    private static final Set<ContenderName> OURS = Set.of(DELAYJOB);

    private static final List<Workload> ALL = List.of(
            new Workload("submit", EVERYONE, Submits::measure),
            new Workload("burst", EVERYONE, Bursts::whileOthersWait),
            new Workload("start", Set.of(DELAYJOB, DELAYED_QUEUE), Start::measure),
            new Workload("steady", EVERYONE, Steady::measure),
            new Workload("short", NEAREST, Bursts::ofShortJobs),
            new Workload("retries", NEAREST, Bursts::ofJobsThatFailOnce),
            new Workload("params", NEAREST, Bursts::ofLargerParams),
            new Workload("scripts", OURS, Scripts::measure),
            new Workload("drain", Set.of(DELAYJOB, BULLMQ), Drain::measure),
            new Workload("idle", ON_REDIS, Idle::measure),
            new Workload("idle-schedules", OURS, Recurring::idle),
            new Workload("instant", OURS, Recurring::atOneInstant),
            new Workload("memory", ON_REDIS, Memory::measure),
            new Workload("persistence", NEAREST, Bursts::onAnAppendOnlyFile),
            new Workload("cluster", OURS, Bursts::onACluster),
            new Workload("scaling", OURS, Bursts::onNodesAndShards),
            new Workload("limited", OURS, Limited::bursts),
            new Workload("key-sets", OURS, KeySets::measure),
            new Workload("permits", OURS, Limited::permits),
            new Workload("index", OURS, Indexed::measure),
            new Workload("mixed", OURS, MixedFleet::measure),
            new Workload("queues", OURS, ManyQueues::measure),
            new Workload("large", OURS, LargeParams::measure),
            new Workload("http", OURS, OverHttp::bursts),
            new Workload("polls", OURS, OverHttp::lateness),
            new Workload("parked", OURS, Parked::measure),
            new Workload("delivery", OURS, Delivered::bursts),
            new Workload("dead-target", OURS, Delivered::besideADeadOne),
            new Workload("tabs", OURS, Tabs::measure),
            new Workload("search", OURS, Searches::measure),
            new Workload("boards", Set.of(DELAYJOB, BULLMQ), Boards::measure, Boards::obstacle),
            new Workload("startup", OURS, Startups::measure, Program::obstacle),
            new Workload("outbox", Set.of(DELAYJOB, DB_SCHEDULER, JOBRUNR), Journaled::submits),
            new Workload("commit", OURS, Journaled::commitToRun),
            new Workload("journal", OURS, Journaled::bursts),
            new Workload("rebuild", OURS, Journaled::rebuild),
            new Workload("far", OURS, Journaled::farJobs),
            new Workload("relay", OURS, JournalRates::ofFarJobs),
            new Workload("compare", OURS, JournalRates::ofComparing));

    private Workloads() {}

    private static Set<ContenderName> those(Predicate<ContenderName> concerned) {
        return Arrays.stream(ContenderName.values()).filter(concerned).collect(Collectors.toUnmodifiableSet());
    }

    /** All of them. */
    public static List<Workload> all() {
        return ALL;
    }

    /** The workloads with these names. */
    public static List<Workload> of(List<String> names) {
        return names.stream().map(Workloads::of).toList();
    }

    private static Workload of(String name) {
        return ALL.stream()
                .filter(workload -> workload.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such workload: " + name + "; there are "
                        + ALL.stream().map(Workload::name).toList()));
    }
}
