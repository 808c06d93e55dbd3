package io.delayjob.server.app;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Jobs of the older protocols on two servers, one of which is killed on the way. Every fourth job's first receiver dies before it has
 * finished, others hang up while they wait. {@code -Ddelayjob.account.jobs=5000} makes it 5,000 jobs of each protocol.
 */
@Tag("proof")
class ProtocolAccountsIT {

    private static final int JOBS = Integer.getInteger("delayjob.account.jobs", 150);
    private static final int RECEIVERS = 4;
    private static final int SPREAD_SECONDS = 3;
    private static final int FORGOTTEN = 4;

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path folder;

    /** How a protocol adds, hands out and finishes. */
    private enum Words {
        DELAY_QUEUE("delay-queue.account") {
            @Override
            JsonNode add(String url, String id, int delaySeconds) {
                return post(
                        url + "/protocols/delay-queue",
                        "{\"command\":\"add\",\"topic\":\"account\",\"id\":\"%s\",\"delay\":%d,\"TTR\":2,\"body\":\"x\"}"
                                .formatted(id, delaySeconds));
            }

            @Override
            HttpRequest.Builder take(String url) {
                return request(url + "/protocols/delay-queue")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                "{\"command\":\"pop\",\"topic\":\"account\",\"timeout\":1}"));
            }

            @Override
            String taken(JsonNode answer) {
                return answer.path("id").asString("");
            }

            @Override
            JsonNode finish(String url, String id) {
                return post(url + "/protocols/delay-queue", "{\"command\":\"finish\",\"id\":\"%s\"}".formatted(id));
            }
        },
        MYKIT("mykit.account") {
            @Override
            JsonNode add(String url, String id, int delaySeconds) {
                return post(
                        url + "/protocols/mykit/push",
                        "{\"topic\":\"account\",\"id\":\"%s\",\"delay\":%d,\"body\":\"x\"}"
                                .formatted(id, delaySeconds * 1000));
            }

            @Override
            HttpRequest.Builder take(String url) {
                return request(url + "/protocols/mykit/get/account?timeout=1&acknowledge=true");
            }

            @Override
            String taken(JsonNode answer) {
                return answer.path("data").path("id").asString("");
            }

            @Override
            JsonNode finish(String url, String id) {
                return answer(request(url + "/protocols/mykit/finish?jobId=" + id));
            }
        };

        private final String queue;

        Words(String queue) {
            this.queue = queue;
        }

        abstract JsonNode add(String url, String id, int delaySeconds);

        abstract HttpRequest.Builder take(String url);

        /** The id of the job that an answer hands out; empty if it has none. */
        abstract String taken(JsonNode answer);

        abstract JsonNode finish(String url, String id);
    }

    /** The jobs of one protocol. */
    private static final class Account {

        private final Words words;
        private final List<String> servers;

        /** By id: the job must not be handed out before this, by the clock of this machine, which is Redis' as well. */
        private final Map<String, Long> due = new ConcurrentHashMap<>();

        private final Map<String, AtomicInteger> handedOut = new ConcurrentHashMap<>();
        private final Set<String> early = ConcurrentHashMap.newKeySet();
        private final Set<String> finished = ConcurrentHashMap.newKeySet();
        private volatile boolean isOver;

        Account(Words words, List<String> servers) {
            this.words = words;
            this.servers = servers;
        }

        /** Asks a server, and the other one if that does not answer, until one does: a call may be repeated. */
        private JsonNode ask(int turn, Call call) {
            for (int tries = 0; ; tries++) {
                try {
                    return call.at(servers.get((turn + tries) % 2));
                } catch (UncheckedIOException noAnswer) {
                    if (tries == 10) {
                        throw noAnswer;
                    }
                }
            }
        }

        void add(int number) {
            String id = "job" + number;
            int delay = number % (SPREAD_SECONDS + 1);
            due.put(id, System.currentTimeMillis() + delay * 1000L);
            JsonNode answer = ask(number, url -> words.add(url, id, delay));
            assertThat(answer.path("success").asBoolean()).as("%s", answer).isTrue();
        }

        void receive(int number) {
            for (int turn = number; !isOver; turn++) {
                if (turn % 7 == 0) {
                    hangUp(servers.get(turn % 2));
                } else {
                    JsonNode answer = ask(turn, url -> answer(words.take(url)));
                    String id = words.taken(answer);
                    if (!id.isEmpty()) {
                        received(id, turn);
                    }
                }
            }
        }

        private void hangUp(String url) {
            var waiting = HTTP.sendAsync(words.take(url).build(), HttpResponse.BodyHandlers.ofString());
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            waiting.cancel(true);
        }

        private void received(String id, int turn) {
            if (System.currentTimeMillis() < due.getOrDefault(id, 0L)) {
                early.add(id);
            }
            int times =
                    handedOut.computeIfAbsent(id, first -> new AtomicInteger()).incrementAndGet();
            if (times == 1 && Integer.parseInt(id.substring(3)) % FORGOTTEN == 0) {
                return;
            }
            // At another server than that which handed it out. One that did not answer may have ended the job.
            AtomicInteger calls = new AtomicInteger();
            JsonNode ended = ask(turn + 1, url -> {
                calls.incrementAndGet();
                return words.finish(url, id);
            });
            if (ended.path("success").asBoolean() || calls.get() > 1) {
                finished.add(id);
            }
        }

        void checkNoneDead(String url) {
            assertThat(ServerProcess.get(url, "/queues/" + words.queue)
                            .path("dead")
                            .asInt(-1))
                    .as("%s: dead", words)
                    .isZero();
        }

        void check(String url) {
            long again =
                    handedOut.values().stream().filter(times -> times.get() > 1).count();
            System.out.printf(
                    "account %s: %d added, %d handed out, %d of them more than once, %d finished, %d early%n",
                    words, due.size(), handedOut.size(), again, finished.size(), early.size());
            assertThat(early).isEmpty();
            assertThat(handedOut.keySet()).isEqualTo(due.keySet());
            assertThat(again).isGreaterThanOrEqualTo(JOBS / FORGOTTEN - 1);
            assertThat(ServerProcess.get(url, "/queues/" + words.queue).toString())
                    .contains("\"delayed\":0,\"ready\":0,\"reserved\":0,\"dead\":0");
        }
    }

    private interface Call {
        JsonNode at(String url);
    }

    @Test
    void everyJobIsHandedOutUntilItIsFinishedAndNoneEarly() throws InterruptedException {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (OwnRedis redis = OwnRedis.start();
                ServerProcess doomed = server(redis);
                ServerProcess other = server(redis)) {
            List<String> servers = List.of(doomed.url(), other.url());
            List<Account> accounts =
                    List.of(new Account(Words.DELAY_QUEUE, servers), new Account(Words.MYKIT, servers));
            for (Account account : accounts) {
                for (int i = 0; i < RECEIVERS; i++) {
                    int number = i;
                    threads.execute(() -> account.receive(number));
                }
            }
            for (int i = 0; i < JOBS; i++) {
                int number = i;
                accounts.forEach(account -> account.add(number));
                if (i == JOBS / 2) {
                    doomed.killNine();
                }
            }
            await().atMost(300, SECONDS)
                    .failFast(() -> accounts.forEach(account -> account.checkNoneDead(other.url())))
                    .untilAsserted(() -> accounts.forEach(
                            account -> assertThat(account.finished).containsAll(account.due.keySet())));
            accounts.forEach(account -> account.isOver = true);
            threads.shutdown();
            assertThat(threads.awaitTermination(120, SECONDS)).isTrue();
            accounts.forEach(account -> account.check(other.url()));
        } finally {
            threads.shutdownNow();
        }
    }

    private ServerProcess server(OwnRedis redis) {
        return ServerProcess.start(
                folder, "--delayjob.redis.url=" + redis.url(), "--delayjob.queues[mykit.account].lease=2s");
    }

    private static HttpRequest.Builder request(String url) {
        return HttpRequest.newBuilder(URI.create(url)).header("Authorization", "Bearer " + ServerProcess.TOKEN);
    }

    private static JsonNode post(String url, String body) {
        return answer(request(url).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static JsonNode answer(HttpRequest.Builder request) {
        try {
            return JsonMapper.shared()
                    .readTree(HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString())
                            .body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
