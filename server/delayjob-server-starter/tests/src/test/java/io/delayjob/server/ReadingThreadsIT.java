package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.server.Api.Answer;
import io.delayjob.testing.RealRedis;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import tools.jackson.databind.JsonNode;

/**
 * Threads that read from Redis or from callers wait for nothing: not for an answer that only they could read, and not for a database. Each call
 * has a token of its own, so that it goes on on the thread that read the token from Redis.
 */
@RealRedis
class ReadingThreadsIT {

    private static TestServer server;
    private int tokens;

    /** A database that takes its time. */
    @Configuration(proxyBeanMethods = false)
    static class SlowDatabase {

        @Bean
        DataSource database() {
            JdbcDataSource h2 = new JdbcDataSource();
            h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            return new DelegatingDataSource(h2) {
                @Override
                public Connection getConnection() throws SQLException {
                    try {
                        Thread.sleep(3);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return super.getConnection();
                }
            };
        }
    }

    @BeforeAll
    static void start() {
        server = TestServer.Kind.NETTY.startWith(
                SlowDatabase.class,
                "delayjob.journal.mode=always",
                "delayjob.journal.horizon=1h",
                "delayjob.queues[direct].journal.mode=transactional");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private String token() {
        Answer made = server.api().post("/tokens", "{\"name\": \"t%d\", \"roles\": [\"admin\"]}".formatted(tokens++));
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        return made.json().path("token").asString();
    }

    private Api api() {
        return server.api(token());
    }

    private OldClient old() {
        return new OldClient("http://127.0.0.1:" + server.port(), token());
    }

    @Test
    void nothingThatWaitsRunsOnThem() throws Exception {
        try (ThreadWaits waits = new ThreadWaits()) {
            for (String body : List.of(
                    "{'command':'add','topic':'new','id':'n1','delay':0,'TTR':60,'body':'x'}",
                    "{'command':'add','topic':'far','id':'f1','delay':86400,'TTR':60,'body':'x'}",
                    "{'command':'add','topic':'far','id':'f1','delay':86400,'TTR':60,'body':'x'}")) {
                succeeds(old().post("/protocols/delay-queue", body));
            }
            await().until(() -> old().post("/protocols/delay-queue", "{'command':'pop','topic':'new'}")
                    .toString()
                    .contains("\"value\""));
            succeeds(old().post("/protocols/delay-queue", "{'command':'finish','id':'n1'}"));
            succeeds(old().post("/protocols/delay-queue", "{'command':'delete','id':'f1'}"));
            succeeds(old().post("/protocols/mykit/push", "{'topic':'a','id':'m1','delay':0}"));
            succeeds(old().post("/protocols/mykit/push", "{'topic':'b','id':'l1','delay':86400000}"));
            succeeds(old().get("/protocols/mykit/get/a"));
            succeeds(old().get("/protocols/mykit/delete?id=l1"));
            succeeds(old().get("/protocols/mykit/reStore"));
            for (String queue : List.of("direct", "near", "far")) {
                String delay = queue.equals("far") ? "P2D" : "PT0S";
                String job = "{\"id\": \"%s\", \"topic\": \"t\", \"delay\": \"%s\"}";
                succeeds(api().post("/queues/" + queue + "/jobs", job.formatted("1", delay)));
                succeeds(api().post(
                                "/queues/more" + queue + "/jobs/batch",
                                "{\"jobs\": [" + job.formatted("2", delay) + "," + job.formatted("3", delay) + "]}"));
                for (String path : List.of("", "/jobs?state=DELAYED", "/jobs/1", "/jobs/1/explanation")) {
                    succeeds(api().get("/queues/" + queue + path));
                }
            }
            claimAndSettle("near");
            succeeds(api().post("/queues/far/jobs/1/reschedule", "{\"delay\": \"P3D\"}"));
            succeeds(api().get("/queues/far/jobs/1/history"));
            succeeds(api().get("/queues/far/ended"));
            succeeds(api().delete("/queues/far/jobs/1"));
            succeeds(api().get("/journal/diff?queue=near"));
            for (String path : List.of("/queues", "/nodes", "/tokens")) {
                succeeds(api().get(path));
            }
            assertThat(waits.ofReadingThreads()).isEmpty();
        }
    }

    private void claimAndSettle(String queue) {
        Answer claimed = api().post("/queues/" + queue + "/claims", "{\"wait\": \"PT60S\"}");
        JsonNode jobs = claimed.json().path("jobs");
        assertThat(jobs.size()).as("%s", claimed).isEqualTo(1);
        succeeds(api().post(
                        "/settlements",
                        "{\"settlements\": [{\"handle\": \"%s\", \"action\": \"complete\"}]}"
                                .formatted(jobs.get(0).path("handle").asString())));
    }

    private static void succeeds(Answer answer) {
        assertThat(answer.status()).as("%s", answer).isBetween(200, 299);
        assertThat(answer.toString()).doesNotContain("\"success\":false");
    }
}
