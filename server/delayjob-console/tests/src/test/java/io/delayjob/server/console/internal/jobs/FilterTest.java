package io.delayjob.server.console.internal.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.EndedQuery;
import io.delayjob.JobOptions;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterTest {

    private final Redaction redaction = new Redaction(List.of(".*password.*"));

    private Filter parse(String text) {
        return Filter.parse(text, redaction);
    }

    @Test
    void readsWordsInAnyOrder() {
        Filter filter = parse(" state:dead,ready order-1 topic:mail error:\"timed out\" order.id:42 queue:q node:n ");

        assertThat(filter.id()).isEqualTo("order-1");
        assertThat(filter.states()).containsExactly(JobState.DEAD, JobState.READY);
        assertThat(filter.topic()).isEqualTo("mail");
        assertThat(filter.error()).isEqualTo("timed out");
        assertThat(filter.queue()).isEqualTo("q");
        assertThat(filter.node()).isEqualTo("n");
        assertThat(filter.fields()).isEqualTo(Map.of("order.id", "42"));
    }

    @Test
    void readsItsKeysAndStatesInEitherCaseAndFieldsOfTheParamAsTheyAreWritten() {
        Filter filter = parse("Queue:q STATE:Dead Order.Id:42 param.state:paid PARAM.Key:k");

        assertThat(filter.queue()).isEqualTo("q");
        assertThat(filter.states()).containsExactly(JobState.DEAD);
        assertThat(filter.fields()).isEqualTo(Map.of("Order.Id", "42", "state", "paid", "Key", "k"));
        assertThatThrownBy(() -> parse("param.password:x")).hasMessageContaining("'password' is hidden");
    }

    @Test
    void findsTheJobsOfAListWhateverTheirNames() {
        Filter filter = parse(Filter.textOf("q", JobState.DEAD, "send \"mail\" ", "order 4\""));

        assertThat(filter.queue()).isEqualTo("q");
        assertThat(filter.states()).containsExactly(JobState.DEAD);
        assertThat(filter.topic()).isEqualTo("send \"mail\" ");
        assertThat(filter.id()).isEqualTo("order 4\"");
        assertThat(parse(Filter.textOf("q", JobState.READY, null, null)).topic())
                .isNull();
    }

    @Test
    void looksForOneIdAtATimeHoweverItIsWritten() {
        assertThatThrownBy(() -> parse("state:dead id:order 42")).hasMessageContaining("one id");
        assertThatThrownBy(() -> parse("id:a id:b")).hasMessageContaining("one id");
    }

    @Test
    void looksForAllTagsThatAreNamed() {
        Filter filter = parse("tag:customer:42 tag:vip");
        assertThat(filter.tags()).containsExactly("customer:42", "vip");
        assertThat(filter.ofEnded("q").orElseThrow().text()).isEqualTo("customer:42");
    }

    @Test
    void looksForAnyOfThePrioritiesThatAreNamed() {
        assertThat(parse("priority:7,9").matches(job(JobOptions.NONE.withPriority(9))))
                .isTrue();
        assertThat(parse("priority:7,9").matches(job(JobOptions.NONE.withPriority(8))))
                .isFalse();
        assertThat(parse("priority:7,9").matches(job(JobOptions.NONE))).isFalse();
        assertThat(parse("priority:4").matches(job(JobOptions.NONE))).isTrue();
        assertThat(parse("key:customer-42").matches(job(JobOptions.NONE.withKey("customer-42"))))
                .isTrue();
        assertThat(parse("key:customer").matches(job(JobOptions.NONE.withKey("customer-42"))))
                .isFalse();
        assertThat(parse("key:customer-42").matches(job(JobOptions.NONE))).isFalse();
    }

    private static JobSnapshot job(JobOptions options) {
        return BareJobs.of("q", "a", "mail", JobState.READY, 0, options, "null");
    }

    @Test
    void readsDaysAndRanges() {
        assertThat(parse("due:2030-01-31").due().from()).isEqualTo(Instant.parse("2030-01-31T00:00:00Z"));
        assertThat(parse("due:2030-01-31").due().to()).isEqualTo(Instant.parse("2030-02-01T00:00:00Z"));
        assertThat(parse("due:2030-01-31T08:00:00Z..").due().to()).isNull();
        assertThat(parse("due:..2030-01-31").due().from()).isNull();
    }

    @Test
    void looksForDeadJobsByTheTimeTheyDiedAtAndForThoseOfAGroupOfErrors() {
        Filter died = parse("died:2030-01-31");
        assertThat(died.possibleStates()).containsExactly(JobState.DEAD);
        assertThat(died.times(JobState.DEAD).from()).isEqualTo(Instant.parse("2030-01-31T00:00:00Z"));
        assertThat(died.matches(job(JobOptions.NONE))).isFalse();
        assertThat(died.ofEnded("q")).isEmpty();

        Filter group = parse("fault:0123456789abcdef");
        assertThat(group.possibleStates())
                .containsExactlyInAnyOrder(JobState.DEAD, JobState.DELAYED, JobState.READY, JobState.RESERVED);
        assertThat(group.matches(job(JobOptions.NONE))).isFalse();
        assertThat(group.ofEnded("q")).isEmpty();
    }

    @Test
    void asksOnlyWhereSuchJobsCanBe() {
        assertThat(parse("due:2030-01-31").possibleStates()).doesNotContain(JobState.DEAD);
        assertThat(parse("ended:2030-01-31").possibleStates())
                .containsExactlyInAnyOrder(JobState.COMPLETED, JobState.CANCELLED);
        assertThat(parse("state:dead").ofEnded("q")).isEmpty();
        assertThat(parse("x".repeat(129)).ofEnded("q")).isEmpty();
        EndedQuery query = parse("state:dead,completed order.id:4711 name:\"a b\" ended:2030-01-31..")
                .ofEnded("q")
                .orElseThrow();
        assertThat(query.states()).containsExactly(JobState.COMPLETED);
        assertThat(query.text()).isEqualTo("4711");
        assertThat(query.ended().from()).isEqualTo(Instant.parse("2030-01-31T00:00:00Z"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ended:soon",
                "due:2030-02-01..2030-01-01",
                "state:rotten",
                "one two",
                "priority:high",
                "priority:7,",
                "priority:10",
                "due:soon",
                "died:soon",
                "fault:no",
                "queue:no/queue",
                "due:2030-13-01",
                "user.password:x",
                "due:1--100000000"
            })
    void refusesWhatItCannotUnderstandAndNamesIt(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(?s).{20,}");
    }

    @Test
    void isBounded() {
        assertThatThrownBy(() -> parse("x".repeat(501))).hasMessageContaining("500");
        assertThat(parse("").isEmpty()).isTrue();
        assertThat(parse(":".repeat(400)).isEmpty()).isFalse();
    }
}
