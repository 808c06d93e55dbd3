package io.delayjob.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.testing.RealRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Jobs of the HTTP delay queue whose receivers die: they pop and never finish, or hang up while they wait. Every job is handed out, none
 * early, none is lost. {@code -Ddelayjob.account.jobs=5000} makes it as many as in docs/reliability.md.
 */
@RealRedis
class DelayQueueAccountIT {

    private static final String PATH = "/protocols/delay-queue";
    private static final int JOBS = Integer.getInteger("delayjob.account.jobs", 300);
    private static final int RECEIVERS = 8;
    private static final int TOPICS = 3;
    private static final int SPREAD_SECONDS = 3;

    /** By id: before this, the job must not be handed out. By the clock of this machine, which is Redis' as well. */
    private final Map<String, Long> due = new ConcurrentHashMap<>();

    private final Map<String, AtomicInteger> handedOut = new ConcurrentHashMap<>();
    private final Set<String> finished = ConcurrentHashMap.newKeySet();
    private final List<String> early = new ArrayList<>();
    private volatile boolean isOver;

    @Test
    void everyJobIsHandedOutUntilItIsFinishedAndNoneEarly() {
        String prefix = TestServer.prefix();
        ExecutorService receivers = Executors.newFixedThreadPool(RECEIVERS);
        try (TestServer first = TestServer.start(prefix, new String[0]);
                TestServer second = TestServer.start(prefix, new String[0])) {
            List<OldClient> servers = List.of(client(first), client(second));
            for (int i = 0; i < RECEIVERS; i++) {
                int number = i;
                receivers.execute(() -> receive(servers.get(number % 2), servers.get((number + 1) % 2), number));
            }
            for (int i = 0; i < JOBS; i++) {
                add(servers.get(i % 2), i);
            }
            await().atMost(120, SECONDS).until(() -> finished.size() == JOBS);
            isOver = true;
            receivers.shutdown();

            assertThat(early).isEmpty();
            assertThat(handedOut.keySet()).isEqualTo(due.keySet());
            assertThat(handedOut.values().stream().filter(times -> times.get() > 1))
                    .as("jobs whose first receiver died")
                    .hasSizeGreaterThanOrEqualTo(JOBS / 4 - 1);
            for (int topic = 0; topic < TOPICS; topic++) {
                assertThat(first.api()
                                .get("/queues/delay-queue.account" + topic)
                                .json()
                                .toString())
                        .contains("\"delayed\":0,\"ready\":0,\"reserved\":0,\"dead\":0");
            }
        } finally {
            isOver = true;
            receivers.shutdownNow();
        }
    }

    private static OldClient client(TestServer server) {
        return new OldClient(server.api().url(), TestServer.ADMIN);
    }

    private void add(OldClient server, int number) {
        String id = "job" + number;
        int delay = number % (SPREAD_SECONDS + 1);
        due.put(id, System.currentTimeMillis() + delay * 1000L);
        JsonNode answer = server.post(
                        PATH,
                        "{'command':'add','topic':'account%d','id':'%s','delay':%d,'TTR':2,'body':'x'}"
                                .formatted(number % TOPICS, id, delay))
                .json();
        assertThat(answer.path("success").asBoolean()).as("%s", answer).isTrue();
    }

    /** Every fourth job that it gets for the first time it forgets; now and then it hangs up while it waits. */
    private void receive(OldClient server, OldClient other, int number) {
        int turn = number;
        while (!isOver) {
            turn++;
            String pop = "{'command':'pop','topic':'account%d','count':5,'timeout':1}".formatted(turn % TOPICS);
            if (turn % 7 == 0) {
                CompletableFuture<?> waiting = server.postAsync(PATH, pop);
                pause();
                waiting.cancel(true);
                continue;
            }
            JsonNode answer = server.post(PATH, pop).json();
            long now = System.currentTimeMillis();
            answer.path("jobs").forEach(job -> {
                String id = job.path("id").asString();
                if (now < due.getOrDefault(id, 0L)) {
                    synchronized (early) {
                        early.add(id);
                    }
                }
                int times = handedOut
                        .computeIfAbsent(id, first -> new AtomicInteger())
                        .incrementAndGet();
                boolean dies = times == 1 && Integer.parseInt(id.substring(3)) % 4 == 0;
                // At another server than that which handed it out.
                if (!dies
                        && other.post(PATH, "{'command':'finish','id':'%s'}".formatted(id))
                                .json()
                                .path("success")
                                .asBoolean()) {
                    finished.add(id);
                }
            });
        }
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
