package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.DelayJobSchedules;
import io.delayjob.IndexedJobs;
import io.delayjob.IndexedValue;
import io.delayjob.JobSnapshot;
import io.delayjob.Schedule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@DelayJobTest(
        classes = Notes.class,
        properties = {
            "delayjob.queues.orders.index=orderId,customer.id,tag",
            "delayjob.queues.many.shards=3",
            "delayjob.queues.many.index=n"
        })
class IndexTest {

    private static final Duration HOUR = Duration.ofHours(1);

    @Autowired
    private DelayJobProducer producer;

    @Autowired
    private DelayJobAdmin admin;

    @Autowired
    private DelayJobSchedules schedules;

    @Autowired
    private VirtualClock clock;

    private String submit(String queue, Object param, String... tags) {
        DelayJobRequest<?> request =
                DelayJobRequest.toTopic("close", param).withQueue(queue).withTags(tags);
        return producer.submitDelayJob(request, HOUR);
    }

    private List<String> found(String queue, String word, String value) {
        return admin.findIndexed(queue, new IndexedValue(word, value)).jobs().stream()
                .map(JobSnapshot::id)
                .toList();
    }

    @Test
    void findsJobsByFieldsOfTheirParamsAndByTags() {
        String first = submit("orders", Map.of("orderId", 4711, "customer", Map.of("id", "c-1")), "vip");
        String second = submit("orders", Map.of("orderId", "4712", "customer", Map.of("id", "c-1")), "vip", "eu");
        submit("orders", "4711");

        assertThat(found("orders", "orderId", "4711")).containsExactly(first);
        assertThat(found("orders", "customer.id", "c-1")).containsExactlyInAnyOrder(first, second);
        assertThat(found("orders", "tag", "eu")).containsExactly(second);
        assertThat(found("orders", "tag", "4711")).isEmpty();

        admin.cancel("orders", first);
        assertThat(found("orders", "tag", "vip")).containsExactly(second);
    }

    @Test
    void findsAtMostTwoHundredOverAllShardsAndSaysThatThereAreMore() {
        IntStream.range(0, 201).forEach(n -> submit("many", Map.of("n", "few")));
        IndexedJobs found = admin.findIndexed("many", new IndexedValue("n", "few"));
        assertThat(found.jobs()).hasSize(IndexedJobs.MOST);
        assertThat(found.more()).isTrue();

        submit("many", Map.of("n", "one"));
        assertThat(admin.findIndexed("many", new IndexedValue("n", "one")).more())
                .isFalse();
    }

    @Test
    void findsTheOccurrencesOfASchedule() {
        schedules.put(Schedule.every("daily", "close", Duration.ofDays(1))
                .withQueue("orders")
                .withParam(Map.of("orderId", "of the day")));
        clock.advance(Duration.ofDays(1));
        assertThat(found("orders", "orderId", "of the day")).isNotEmpty();
    }

    @Test
    void saysWhichWordsAnIndexHas() {
        assertThat(admin.indexWords("orders")).containsExactly("orderId", "customer.id", "tag");
        assertThat(admin.indexWords("mail")).isEmpty();
        assertThatThrownBy(() -> found("orders", "order", "1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the index of queue 'orders' does not have 'order', but orderId, customer.id, tag;"
                        + " set delayjob.queues.orders.index here and where its jobs are submitted");
        assertThatThrownBy(() -> found("mail", "order", "1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the index of queue 'mail' does not have 'order'; it has no words;"
                        + " set delayjob.queues.mail.index here and where its jobs are submitted");
    }
}
