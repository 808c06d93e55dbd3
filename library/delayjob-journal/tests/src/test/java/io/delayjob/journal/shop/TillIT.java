package io.delayjob.journal.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobStep;
import io.delayjob.SubmitResult;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Submits that commit with what JPA writes. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TillIT {

    private final String queue = "q-" + UUID.randomUUID();
    private ConfigurableApplicationContext shop;

    @BeforeAll
    void open() {
        shop = new SpringApplicationBuilder(ShopApplication.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.main.banner-mode=off",
                        "--spring.data.redis.url=" + RedisServer.shared().url(),
                        "--spring.datasource.url=jdbc:h2:mem:" + queue,
                        "--delayjob.default-queue=" + queue);
        assertThat(shop.getBean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);
    }

    @AfterAll
    void close() {
        shop.close();
    }

    @Test
    void aCommitBringsTheJobAndItsHistory() {
        Till till = shop.getBean(Till.class);
        DelayJobAdmin admin = shop.getBean(DelayJobAdmin.class);

        assertThat(till.buy("tea", Duration.ZERO).outcome()).isEqualTo(SubmitResult.Outcome.DEFERRED);

        await().until(() -> till.thanked().contains("tea"));
        await().untilAsserted(() -> assertThat(admin.history(queue, "tea", 10))
                .extracting(JobStep::kind)
                .containsExactly(JobStep.Kind.SUBMITTED, JobStep.Kind.CLAIMED, JobStep.Kind.COMPLETED));
        assertThat(admin.history(queue, "tea", 1)).extracting(JobStep::kind).containsExactly(JobStep.Kind.COMPLETED);
        assertThat(admin.history(queue, "coffee", 10)).isEmpty();
    }

    @Test
    void aRollbackLeavesNeither() {
        assertThatThrownBy(() -> shop.getBean(Till.class).buyAndFail("milk")).hasMessage("no stock of milk");

        assertThat(shop.getBean(Purchases.class).existsById("milk")).isFalse();
        assertThat(shop.getBean(JdbcTemplate.class)
                        .queryForObject("SELECT COUNT(*) FROM delayjob_job WHERE id = 'milk'", Integer.class))
                .isZero();
        assertThat(shop.getBean(DelayJobAdmin.class).find(queue, "milk")).isEmpty();
    }

    @Test
    void refusesATransactionOfAnotherDataSource() {
        DelayJobProducer producer = shop.getBean(DelayJobProducer.class);
        try (HikariDataSource another = TestDatabase.H2_MEMORY.fresh()) {
            TransactionTemplate others = new TransactionTemplate(new JdbcTransactionManager(another));
            assertThatThrownBy(() -> others.executeWithoutResult(
                            status -> producer.submit(DelayJobRequest.toTopic("thank", "rice"), Till.LATER)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(
                            "is not one of the journal's DataSource 'dataSource'", queue + ".journal.mode=off");
        }
    }

    @Test
    void refusesAReadOnlyTransaction() {
        assertThatThrownBy(() -> shop.getBean(Till.class).look("rice"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("Till.look is read-only");
    }
}
