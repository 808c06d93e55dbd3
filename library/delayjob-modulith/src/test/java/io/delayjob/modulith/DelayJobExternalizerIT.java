package io.delayjob.modulith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobAdmin;
import io.delayjob.JobQuery;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.testing.JarProcess;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.transaction.support.TransactionTemplate;

/** Events of committed transactions become jobs, whatever dies in between. */
@RealRedis
class DelayJobExternalizerIT {

    private static final Duration LATER = Duration.ofHours(1);
    private static final String COMPLETED = "COMPLETED";

    private static final String QUEUE = "q-" + UUID.randomUUID();

    private static @Nullable ConfigurableApplicationContext opened;

    private final String queue = "q-" + UUID.randomUUID();
    private final String memory = "jdbc:h2:mem:" + queue;

    @AfterAll
    static void close() {
        if (opened != null) {
            opened.close();
        }
    }

    /** One for all tests that need no other, as if it were new. */
    private static ConfigurableApplicationContext shop() {
        if (opened == null) {
            opened = Shop.open(RedisServer.shared().url(), "jdbc:h2:mem:" + QUEUE, QUEUE, "shop.delay=2h");
        }
        Shop.clear(opened, QUEUE);
        return opened;
    }

    @Test
    void runsAJobOfAnEventAndCompletesItsPublication() {
        ConfigurableApplicationContext shop = shop();
        Shop.publish(shop, new OrderPlaced("o1", Duration.ZERO));
        shop.getBean(Shop.class).awaitClosed(1);
        Shop.awaitStatus(shop, COMPLETED, 1);
        assertThat(shop.getBean(Shop.class).closed()).containsExactly("o1 " + publicationId(shop, 0));
    }

    @Test
    void makesNoJobAndKeepsNoPublicationAfterARollback() {
        ConfigurableApplicationContext shop = shop();
        shop.getBean(TransactionTemplate.class).executeWithoutResult(status -> {
            shop.publishEvent(new OrderPlaced("rolled back", Duration.ZERO));
            status.setRollbackOnly();
        });
        Shop.publish(shop, new OrderPlaced("o1", Duration.ZERO));
        shop.getBean(Shop.class).awaitClosed(1);
        assertThat(shop.getBean(Shop.class).closed()).singleElement().asString().startsWith("o1 ");
        assertThat(Shop.publications(shop)).hasSize(1);
    }

    @Test
    void makesTwoJobsOfTwoEventsThatAreEqual() {
        ConfigurableApplicationContext shop = shop();
        Shop.publish(shop, new OrderPlaced("o1", LATER), new OrderPlaced("o1", LATER));
        Shop.awaitStatus(shop, COMPLETED, 2);
        assertThat(waiting(shop))
                .extracting(JobSnapshot::id)
                .containsExactlyInAnyOrder(publicationId(shop, 0), publicationId(shop, 1));
    }

    @Test
    void namesTheJobAndItsDelayAsTheEventSays() {
        ConfigurableApplicationContext shop = shop();
        Shop.publish(shop, new OrderNamed("42"), new OrderNamed("42"));
        Shop.awaitStatus(shop, COMPLETED, 2);
        assertThat(waiting(shop)).singleElement().satisfies(job -> {
            assertThat(job.id()).isEqualTo("close-42");
            assertThat(job.job()).isEqualTo("close-named");
            assertThat(job.param()).isEqualTo("{\"orderId\":\"42\"}");
            assertThat(Duration.between(job.submittedAt(), job.dueAt())).isEqualTo(Duration.ofHours(2));
        });
    }

    @Tag("proof")
    @Test
    void runsTheJobOnceThatAProcessOwedWhenItDied(@TempDir Path folder) throws Exception {
        // A commit is on disk when it returns, as in any database that is worth the name.
        String database = "jdbc:h2:" + folder.resolve("shop") + ";WRITE_DELAY=0";
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(JarProcess.SHORT_LIVED);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), DyingShop.class.getName()));
        command.addAll(List.of(RedisServer.shared().url(), database, queue, "o1"));
        Process dying = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        try {
            assertThat(dying.waitFor(180, TimeUnit.SECONDS)).isTrue();
            assertThat(dying.exitValue()).as("%s", folder.resolve("log")).isEqualTo(DyingShop.DEATH);
        } finally {
            dying.destroyForcibly();
        }
        try (ConfigurableApplicationContext shop = Shop.open(
                RedisServer.shared().url(),
                database,
                queue,
                "spring.modulith.events.republish-outstanding-events-on-restart=true")) {
            shop.getBean(Shop.class).awaitClosed(1);
            Shop.awaitStatus(shop, COMPLETED, 1);
            assertThat(shop.getBean(Shop.class).closed()).containsExactly("o1 " + publicationId(shop, 0));
        }
    }

    @Test
    void addsNoSecondJobWhenTheProcessDiedBeforeItCouldNoteTheFirst() {
        ConfigurableApplicationContext shop = shop();
        Shop.publish(shop, new OrderPlaced("o1", LATER));
        Shop.awaitStatus(shop, COMPLETED, 1);
        forgetCompletion(shop);
        resubmit(shop);
        Shop.awaitStatus(shop, COMPLETED, 1);
        assertThat(waiting(shop))
                .singleElement()
                .satisfies(job -> assertThat(job.id()).isEqualTo(publicationId(shop, 0)));
    }

    @Test
    void countsTheDelayFromThePublicationWhenItIsResubmitted() {
        ConfigurableApplicationContext shop = shop();
        Shop.publish(shop, new OrderPlaced("o1", LATER));
        Shop.awaitStatus(shop, COMPLETED, 1);
        admin(shop).cancel(QUEUE, publicationId(shop, 0));
        forgetCompletion(shop);
        shop.getBean(JdbcTemplate.class)
                .update("UPDATE EVENT_PUBLICATION SET PUBLICATION_DATE = DATEADD(HOUR, -2, PUBLICATION_DATE)");
        resubmit(shop);
        shop.getBean(Shop.class).awaitClosed(1);
    }

    @Tag("proof")
    @Test
    void keepsTheEventWhileRedisIsAway() {
        try (OwnRedis redis = OwnRedis.start();
                ConfigurableApplicationContext shop =
                        Shop.open(redis.url(), memory, queue, "delayjob.submit-timeout=5s")) {
            redis.stop();
            Shop.publish(shop, new OrderPlaced("o1", Duration.ZERO));
            Shop.awaitStatus(shop, "FAILED", 1);
            redis.restart();
            // Again and again: the client of Redis may not have found it yet.
            await().until(() -> {
                Object status = Shop.publications(shop).get(0).get("STATUS");
                if ("FAILED".equals(status)) {
                    resubmit(shop);
                }
                return COMPLETED.equals(status);
            });
            shop.getBean(Shop.class).awaitClosed(1);
        }
    }

    @Test
    void refusesToStartWhereNothingKeepsTheEvents() {
        assertThatThrownBy(() -> Shop.open(
                                RedisServer.shared().url(),
                                memory,
                                queue,
                                "spring.autoconfigure.exclude="
                                        + "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration")
                        .close())
                .isInstanceOf(UnsatisfiedDependencyException.class)
                .hasMessageContaining("EventPublicationRegistry");
    }

    private static String publicationId(ConfigurableApplicationContext shop, int index) {
        return String.valueOf(Shop.publications(shop).get(index).get("ID"));
    }

    /** Leaves the registry as a process does that dies between the confirmed submit and its note of it. */
    private static void forgetCompletion(ConfigurableApplicationContext shop) {
        shop.getBean(JdbcTemplate.class)
                .update("UPDATE EVENT_PUBLICATION SET COMPLETION_DATE = NULL, STATUS = 'PROCESSING'");
    }

    private static void resubmit(ConfigurableApplicationContext shop) {
        shop.getBean(IncompleteEventPublications.class).resubmitIncompletePublications(publication -> true);
    }

    private static DelayJobAdmin admin(ConfigurableApplicationContext shop) {
        return shop.getBean(DelayJobAdmin.class);
    }

    private static List<JobSnapshot> waiting(ConfigurableApplicationContext shop) {
        return admin(shop).list(JobQuery.of(QUEUE, JobState.DELAYED)).jobs();
    }
}
