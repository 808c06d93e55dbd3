package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.ClaimedJob;
import io.delayjob.JobClaim;
import io.delayjob.testing.RealRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** By itself, because a server that stops takes the event loops of all servers in its JVM with it. */
@Tag("proof")
@RealRedis
class StoppingServerIT {

    @Test
    void claimsThatWaitAreAnsweredWhenTheServerStops() {
        CompletableFuture<List<ClaimedJob>> claim;
        try (TestServer server = new TestServer()) {
            claim = new HttpDelayJobClaims(server.settings())
                    .claimAsync(JobClaim.of("stop").withMaxWait(Duration.ofSeconds(60)));
            await().until(() -> !server.admin().nodes("stop").isEmpty());
        }

        assertThat(claim).succeedsWithin(Duration.ofMinutes(2)).isEqualTo(List.of());
    }
}
