package io.delayjob.server.internal.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.JobClaim;
import io.delayjob.JobOptions;
import io.delayjob.JobSettlement;
import io.delayjob.server.web.Problem;
import io.delayjob.server.web.Problems;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;

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

    private final List<JobSettlement> settled = new ArrayList<>();
    private final ServerWebExchange exchange =
            MockServerWebExchange.from(MockServerHttpRequest.post("/queues/q/claims"));
    private final Undelivered undelivered = new Undelivered(new Settling(), nothing(AsyncDelayJobAdmin.class));

    private final class Settling implements DelayJobClaims {

        @Override
        public CompletableFuture<List<Boolean>> settleAsync(List<? extends JobSettlement> settlements) {
            settled.addAll(settlements);
            return CompletableFuture.completedFuture(List.of(true));
        }

        @Override
        public List<Boolean> settle(List<? extends JobSettlement> settlements) {
            return settleAsync(settlements).join();
        }

        @Override
        public CompletableFuture<List<ClaimedJob>> claimAsync(JobClaim claim) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<ClaimedJob> claim(JobClaim claim) {
            throw new UnsupportedOperationException();
        }
    }

    private static <T> T nothing(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            throw new UnsupportedOperationException(method.getName());
        }));
    }

    private void answer(WebFilterChain route) {
        Undelivered.note(exchange, List.of(JOB), false);
        undelivered.filter(exchange, route).block();
    }

    @Test
    void givesBackTheJobsOfAnAnswerInWhosePlaceAProblemWasWritten() {
        answer(claimed -> Problems.write(claimed, Problem.INTERNAL.detail("the answer could not be written")));

        assertThat(settled).containsExactly(new JobSettlement.Release("handle-of-a"));
        assertThat(Undelivered.isDelivered(exchange)).isFalse();
    }

    @Test
    void givesBackTheJobsOfAnAnswerWhoseStatusSaysThatItFailed() {
        answer(claimed -> {
            claimed.getResponse().setStatusCode(HttpStatus.INTERNAL_SERVER_ERROR);
            return claimed.getResponse().setComplete();
        });

        assertThat(settled).containsExactly(new JobSettlement.Release("handle-of-a"));
    }

    @Test
    void leavesTheJobsOfAnAnswerThatWasWritten() {
        answer(claimed -> claimed.getResponse().setComplete());

        assertThat(settled).isEmpty();
        assertThat(Undelivered.isDelivered(exchange)).isTrue();
    }
}
