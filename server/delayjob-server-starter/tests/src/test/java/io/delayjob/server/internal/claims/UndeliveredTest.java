package io.delayjob.server.internal.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.ClaimedJob;
import io.delayjob.JobOptions;
import io.delayjob.server.web.Problem;
import io.delayjob.server.web.Problems;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Claimed jobs whose answer is replaced by another one. */
class UndeliveredTest {

    private static final ClaimedJob JOB = new ClaimedJob(
            "q",
            "a",
            "t",
            "1",
            Map.of(),
            1,
            Instant.EPOCH,
            Instant.EPOCH,
            Instant.EPOCH,
            JobOptions.NONE,
            "handle-of-a");

    private final List<ClaimedJob> givenBack = new ArrayList<>();
    private final ServerWebExchange exchange =
            MockServerWebExchange.from(MockServerHttpRequest.post("/queues/q/claims"));
    private final Undelivered undelivered = new Undelivered((jobs, hasId) -> givenBack.addAll(jobs));

    private void answer(WebFilterChain route) {
        Undelivered.note(exchange, List.of(JOB), false);
        undelivered.filter(exchange, route).block();
    }

    @Test
    void givesBackTheJobsOfAnAnswerInWhosePlaceAProblemWasWritten() {
        answer(claimed -> Problems.write(claimed, Problem.INTERNAL.detail("the answer could not be written")));

        assertThat(givenBack).containsExactly(JOB);
        assertThat(Undelivered.isDelivered(exchange)).isFalse();
    }

    @Test
    void givesBackTheJobsOfAnAnswerWhoseStatusSaysThatItFailed() {
        answer(claimed -> {
            claimed.getResponse().setStatusCode(HttpStatus.INTERNAL_SERVER_ERROR);
            return claimed.getResponse().setComplete();
        });

        assertThat(givenBack).containsExactly(JOB);
    }

    /** As Spring ends it if the connection is gone. */
    @Test
    void givesBackTheJobsOfAnAnswerThatCouldNotBeWrittenThoughItsRequestEndsWell() {
        answer(claimed -> claimed.getResponse()
                .writeWith(Mono.error(new IOException("Broken pipe")))
                .onErrorComplete());

        assertThat(givenBack).containsExactly(JOB);
        assertThat(Undelivered.isDelivered(exchange)).isFalse();
    }

    @Test
    void leavesTheJobsOfAnAnswerThatWasWritten() {
        answer(claimed -> claimed.getResponse().setComplete());

        assertThat(givenBack).isEmpty();
        assertThat(Undelivered.isDelivered(exchange)).isTrue();
    }
}
