package io.delayjob.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.embedded.RedisCall;
import io.delayjob.reliability.harness.Account;
import io.delayjob.reliability.harness.FaultProxy;
import io.delayjob.reliability.harness.Faults;
import io.delayjob.reliability.harness.Load;
import io.delayjob.reliability.harness.LostWrites;
import io.delayjob.reliability.harness.NodeProcess;
import io.delayjob.reliability.harness.Stage;
import io.delayjob.reliability.node.Journal;
import io.delayjob.reliability.node.Journal.Kind;
import io.delayjob.reliability.node.Work;
import io.delayjob.reliability.node.WorkJob;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs of other systems that stayed active for ever, or whose ids outlived them: the same, done to delayjob. */
@Tag("proof")
@Faults
class OtherSystemsStuckIT {

    private static final Duration BOUND = Duration.ofMinutes(4);
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final Load.Mix ONLY_WORK = new Load.Mix(Duration.ZERO, Duration.ofMillis(20), 0, 0);

    /**
     * <a href="https://github.com/hibiken/asynq/issues/1051">asynq#1051</a>: after errors of a Redis under load, tasks stood in
     * the active list for ever. They had been done; the word that they were was refused for longer than their lease, after
     * which asynq no longer says it, and what recovers tasks looks at leases only.
     *
     * <p>Here a settlement is repeated until it is answered, and {@code reserved} is the only list of running jobs: it is
     * ordered by the ends of their leases, and the next claim hands out what is over.
     */
    @Test
    void redisRefusesToHearThatJobsAreDoneForLongerThanTheirLease(Stage stage) throws IOException {
        OwnRedis redis = stage.redis();
        NodeProcess node = stage.node(redis.url());
        Load load = stage.load(ONLY_WORK);
        submit(load, "done-", 6, 3000);
        awaitBegun(node, 6);
        RedisCall.call(redis.url(), "ACL", "SETUSER", "default", "-eval", "-evalsha");
        node.awaitLine(Kind.ENDED, SOON);
        Stage.pass(Stage.LEASE.plusSeconds(1));
        assertThat(node.journal()).extracting(Journal.Line::kind).doesNotContain(Kind.COMPLETED);
        RedisCall.call(redis.url(), "ACL", "SETUSER", "default", "+eval", "+evalsha");

        assertThat(stage.settle(BOUND).finished()).isEqualTo(6);
        assertNothingIsLeft(redis);
    }

    /**
     * <a href="https://github.com/hibiken/asynq/issues/1051">asynq#1051</a> again, where a task is taken from the queue, the
     * worker never hears of it, and dies: nobody knows the task but Redis.
     *
     * <p>Here the claim writes the end of the lease in the same script. The attempt counts, nobody made it. One of the jobs has
     * lost its facts as well: it is a job that was never claimed.
     */
    @Test
    void claimIsAnsweredToNobody(Stage stage) throws IOException {
        stage.leasesThatLast();
        OwnRedis redis = stage.redis();
        FaultProxy network = stage.proxy(redis);
        // So that Redis knows the scripts: of a call that it does not know, it would execute nothing.
        stage.stop(stage.node(redis.url()));
        Load load = stage.load(ONLY_WORK);
        submit(load, "claimed-", 8, 20);
        network.loseReplies(Pattern.compile(":memo:node-\\d+:claim:"), Integer.MAX_VALUE);
        NodeProcess doomed = stage.launch(network.url());
        await().atMost(SOON).until(() -> size(redis, "ZCARD", "reserved") == 8);
        stage.kill(doomed);
        assertThat(doomed.journal()).extracting(Journal.Line::kind).doesNotContain(Kind.BEGUN);
        List<String> claimed = RedisCall.call(redis.url(), "ZRANGE", key("reserved"), "0", "-1")
                .lines()
                .toList();
        String forgotten = claimed.get(0);
        RedisCall.call(redis.url(), "HDEL", key("facts"), forgotten);
        NodeProcess heir = stage.node(redis.url());

        assertThat(stage.settle(BOUND).finished()).isEqualTo(8);
        assertThat(begun(heir))
                .allSatisfy(line -> assertThat(line.attempt())
                        .isEqualTo(claimed.contains(line.id()) && !line.id().equals(forgotten) ? 2 : 1));
        assertNothingIsLeft(redis);
    }

    /**
     * <a href="https://github.com/hibiken/asynq/issues/764">asynq#764</a>, <a
     * href="https://github.com/hibiken/asynq/issues/274">#274</a>: the id of a task stood in the lease set, its record was gone.
     * The recovery of tasks said NOT FOUND once a minute, for ever. In <a
     * href="https://github.com/hibiken/asynq/pull/1140">#1140</a> one record that could not be read kept all others from being
     * recovered, for three days.
     *
     * <p>Here an id without a readable record is handed out as any other, and the node that gets it buries it, with a reason:
     * it is counted, shown, and can be purged. Those beside it are recovered.
     */
    @Test
    void leaseOutlivesItsJob(Stage stage) throws IOException {
        stage.leasesThatLast();
        OwnRedis redis = stage.redis();
        NodeProcess doomed = stage.node(redis.url());
        Load load = stage.load(ONLY_WORK);
        submit(load, "held-", 8, 4000);
        awaitBegun(doomed, 8);
        doomed.freeze();
        stage.kill(doomed);
        RedisCall.call(redis.url(), "HDEL", key("jobs"), "held-0", "held-1");
        RedisCall.call(redis.url(), "HDEL", key("facts"), "held-1", "held-2");
        RedisCall.call(redis.url(), "HSET", key("jobs"), "held-2", "neither a record nor JSON");
        NodeProcess heir = stage.node(redis.url());

        Account account = stage.settle(BOUND);
        assertThat(account.dead()).isEqualTo(3);
        assertThat(account.finished()).isEqualTo(5);
        assertThat(account.duplicates()).isEqualTo(5);
        assertThat(lines(heir, Kind.BURIED)).hasSize(3);
        assertThat(stage.admin().purgeDead("default", Duration.ZERO, 10)).isEqualTo(3);
        assertNothingIsLeft(redis);
    }

    /**
     * <a href="https://github.com/hibiken/asynq/issues/1144">asynq#1144</a>: tasks were active and had no lease, because the key
     * with the leases was evicted or removed. What recovers tasks looks at leases only; they stayed active for ever.
     *
     * <p>Here the lease of a job that runs comes back with its next renewal. Where the node died as well, the holder comes
     * across the job, and gives it a lease that is going to end.
     */
    @Test
    void leasesAreRemovedFromBehind(Stage stage) throws IOException {
        OwnRedis redis = stage.redis();
        NodeProcess doomed = stage.node(redis.url());
        Load load = stage.load(ONLY_WORK);
        submit(load, "held-", 6, 5000);
        awaitBegun(doomed, 6);
        RedisCall.call(redis.url(), "DEL", key("reserved"));
        await().atMost(SOON).until(() -> size(redis, "ZCARD", "reserved") == 6);
        doomed.freeze();
        stage.kill(doomed);
        RedisCall.call(redis.url(), "DEL", key("reserved"));
        stage.node(redis.url());

        await().atMost(SOON).until(() -> size(redis, "ZCARD", "reserved") == 6);
        Account account = stage.settle(BOUND);
        assertThat(account.finished()).isEqualTo(6);
        assertThat(account.duplicates()).isEqualTo(6);
        assertNothingIsLeft(redis);
    }

    /**
     * A backup is put back: leases that were over long ago, calls that are known no more, epochs that were given already.
     *
     * <p>What ran then runs again, once its lease is over, which it is; what was done since is done again; what was submitted
     * since is gone. Nodes that live through it go on, and what they still say of jobs of a later time is refused.
     */
    @Test
    void oldBackupIsPutBack(Stage stage) throws IOException {
        OwnRedis redis = stage.redis("--save", "");
        NodeProcess first = stage.node(redis.url());
        Load load = stage.load(new Load.Mix(Duration.ofSeconds(4), Duration.ofMillis(20), 0.2, 0.1));
        submit(load, "running-", 4, 2500);
        awaitBegun(first, 4);
        load.submit(100, Duration.ofMillis(500)).join();
        RedisCall.call(redis.url(), "SAVE");
        long savedAt = System.currentTimeMillis();
        Path dump = redis.folder().resolve("dump.rdb");
        Path backup = Files.copy(dump, redis.folder().resolve("backup.rdb"), StandardCopyOption.REPLACE_EXISTING);
        load.submit(60, Duration.ofSeconds(4)).join();
        redis.kill();
        stage.redisLost(LostWrites.since(savedAt));
        Files.copy(backup, dump, StandardCopyOption.REPLACE_EXISTING);
        redis.restart();
        load.submit(40, Duration.ofSeconds(1)).join();

        assertThat(stage.settle(BOUND).repeatedByLoss()).isPositive();
        stage.admin().purgeDead("default", Duration.ZERO, 500);
        assertNothingIsLeft(redis);
    }

    /**
     * <a href="https://github.com/taskforcesh/bullmq/issues/3929">BullMQ#3929</a>, <a
     * href="https://github.com/taskforcesh/bullmq/pull/3853">#3853</a>: removal by age took the records of finished jobs and
     * left their ids in the sets.
     *
     * <p>Here one script removes an id from the set and its record from the hashes, and no more than it removes from all. When
     * all is done and over, no key holds anything.
     */
    @Test
    void finishedJobsAreRemovedByAgeAndNumber(Stage stage) throws IOException {
        OwnRedis redis = stage.redis();
        stage.node(redis.url(), "delayjob.retention.time=3s", "delayjob.retention.count=50");
        Load load = stage.load(new Load.Mix(Duration.ofSeconds(1), Duration.ofMillis(5), 0.2, 0));
        load.submit(300, Duration.ofSeconds(1)).join();
        stage.awaitAllDone(BOUND);
        assertThat(size(redis, "ZCARD", "finished")).isLessThanOrEqualTo(60);
        assertThat(size(redis, "HLEN", "archive")).isLessThanOrEqualTo(60);
        await().atMost(SOON).until(() -> size(redis, "ZCARD", "finished") == 0);

        assertThat(stage.settle(BOUND).finished()).isEqualTo(300);
        assertNothingIsLeft(redis);
    }

    /**
     * <a href="https://github.com/taskforcesh/bullmq/issues/419">BullMQ#419</a>, <a
     * href="https://github.com/hibiken/asynq/issues/274">asynq#274</a>: Redis had a policy that evicts keys, and evicted records
     * of jobs that were still to run.
     *
     * <p>Nothing can bring them back. Their ids are buried when they are due, each with that reason, the queue goes on, and
     * nodes warn of the policy when they start.
     */
    @Test
    void recordsAreEvicted(Stage stage) throws IOException {
        OwnRedis redis = stage.redis("--maxmemory-policy", "allkeys-lru");
        NodeProcess node = stage.node(redis.url());
        Load load = stage.load(ONLY_WORK);
        for (int i = 0; i < 20; i++) {
            load.submit(work("evicted-" + i, 20), Duration.ofSeconds(12)).join();
        }
        // For the nodes, the same as an eviction. Which key Redis evicts first is its own choice, so no test can rely
        // on it.
        RedisCall.call(redis.url(), "UNLINK", key("jobs"));
        submit(load, "after-", 20, 20);

        Account account = stage.settle(BOUND);
        assertThat(account.dead()).isEqualTo(20);
        assertThat(account.finished()).isEqualTo(20);
        assertThat(lines(node, Kind.BURIED)).hasSize(20);
        assertThat(node.log()).contains("allkeys-lru");
    }

    /**
     * <a href="https://github.com/kagkarlsson/db-scheduler/issues/804">db-scheduler#804</a>: a node that picked a task it had no
     * code for kept it, until it counted as dead; in a rolling update all such tasks came late. <a
     * href="https://github.com/kagkarlsson/db-scheduler/issues/515">#515</a>: how long nobody had known a task was counted by
     * each node from its own start, so that where nodes were replaced often it was never given up.
     *
     * <p>Here a node gives back at once what it cannot run, and Redis knows since when: the second node gives the job up the
     * first time that it sees it.
     */
    @Test
    void nodesCannotRunAJobAndAreReplaced(Stage stage) throws IOException {
        OwnRedis redis = stage.redis();
        Duration timeout = Duration.ofSeconds(4);
        NodeProcess first = stage.node(redis.url(), "delayjob.no-handler-timeout=" + timeout);
        Load load = stage.load(ONLY_WORK);
        RedisCall.call(redis.url(), "HSET", key("jobs"), "new", "{\"v\":1,\"at\":1,\"job\":\"NewJob\",\"param\":1}");
        RedisCall.call(redis.url(), "ZADD", key("waiting"), "1", "new");
        submit(load, "old-", 30, 20);
        first.awaitLine(Kind.RELEASED, SOON);
        stage.stop(first);
        Stage.pass(timeout);
        NodeProcess second = stage.node(redis.url(), "delayjob.no-handler-timeout=" + timeout);

        stage.awaitAllDone(BOUND);
        JobSnapshot job = stage.admin().find("default", "new").orElseThrow();
        assertThat(job.state()).isEqualTo(JobState.DEAD);
        assertThat(stage.settle(BOUND).finished()).isEqualTo(30);
        assertThat(second.journal())
                .filteredOn(line -> line.id().equals("new"))
                .extracting(Journal.Line::kind)
                .containsExactly(Kind.CLAIMED, Kind.BURIED);
    }

    private static void submit(Load load, String prefix, int count, long millis) {
        IntStream.range(0, count)
                .mapToObj(i -> load.submit(work(prefix + i, millis), Duration.ZERO))
                .toList()
                .forEach(outcome -> outcome.join());
    }

    private static DelayJobRequest<Work> work(String id, long millis) {
        return DelayJobRequest.of(WorkJob.class, new Work(millis, 0)).withId(id);
    }

    private static void awaitBegun(NodeProcess node, int count) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> begun(node).size() >= count);
    }

    private static List<Journal.Line> begun(NodeProcess node) {
        return lines(node, Kind.BEGUN);
    }

    private static List<Journal.Line> lines(NodeProcess node, Kind kind) {
        return node.journal().stream().filter(line -> line.kind() == kind).toList();
    }

    private static String key(String name) {
        return "delayjob:{default:0}:" + name;
    }

    private static int size(OwnRedis redis, String command, String name) throws IOException {
        return Integer.parseInt(RedisCall.call(redis.url(), command, key(name)));
    }

    /** Asserts that no key of the jobs is left, whatever became of them. */
    private static void assertNothingIsLeft(OwnRedis redis) throws IOException {
        for (String name : List.of(
                "jobs",
                "waiting",
                "reserved",
                "dead",
                "facts",
                "errors",
                "progress",
                "finished",
                "archive",
                "outcomes")) {
            assertThat(size(redis, "EXISTS", name)).as(name).isZero();
        }
    }
}
